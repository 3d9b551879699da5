import type { RunHistory } from '../history/run-history.ts';
import { bodyAt } from './bodies.ts';
import type { JoinedLedgers, JoinedOperation, KeyUse } from './join-ledgers.ts';
import { programLines, type ProgramLine } from './program-lines.ts';
import { requestLines, type RequestLine } from './request-lines.ts';

/** Heights of what the picture is made of, in pixels. */
const ledgerSizes = { header: 30, line: 20, foot: 24, pad: 8, between: 10, rows: 18 } as const;

interface Placed {
  readonly top: number;
  readonly height: number;
}

export interface PlacedOperation extends Placed {
  readonly row: JoinedOperation;
  readonly lines: readonly ProgramLine[];
}

/** What a service saw under one key. `owner` is null for requests that nobody accounts for. */
export interface PlacedKey extends Placed {
  readonly use: KeyUse;
  readonly owner: JoinedOperation | null;
  readonly lines: readonly RequestLine[];
}

/** Where a service has nothing of a completed operation. */
export interface PlacedHole extends Placed {
  readonly service: string;
  readonly owner: JoinedOperation;
}

/** A line from a body of an operation to the request that it made, by their heights. */
export interface Connector {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly look: RequestLine['look'];
  /** What it stands for is not there, or not known to the program. */
  readonly isDashed: boolean;
}

export interface PlacedLedgers {
  readonly operations: readonly PlacedOperation[];
  readonly keys: readonly PlacedKey[];
  readonly holes: readonly PlacedHole[];
  readonly connectors: readonly Connector[];
  readonly height: number;
}

const cardHeight = (lines: number, hasFoot: boolean): number =>
  ledgerSizes.header + lines * ledgerSizes.line + (hasFoot ? ledgerSizes.foot : 0) + ledgerSizes.pad;
const lineAt = (top: number, line: number): number => top + ledgerSizes.header + (line + 0.5) * ledgerSizes.line;

/** Places both ledgers so that what belongs together stands side by side, and the lines between them. */
export function placeLedgers({ operations, unowned }: JoinedLedgers, attempts: RunHistory['attempts']): PlacedLedgers {
  const rows: ReturnType<typeof placeRow>[] = [];
  let top = 0;
  for (const row of operations) {
    const placed = placeRow(row, attempts, top);
    rows.push(placed);
    top = placed.bottom + (placed.operation.lines.length === 0 ? ledgerSizes.between : ledgerSizes.rows);
  }
  const strays = unowned.map((use): PlacedKey => {
    const lines = requestLines(use, null);
    const placed = { use, owner: null, lines, top, height: cardHeight(lines.length, true) };
    top += placed.height + ledgerSizes.rows;
    return placed;
  });
  return {
    operations: rows.map(({ operation }) => operation),
    keys: [...rows.flatMap(({ keys }) => keys), ...strays],
    holes: rows.flatMap(({ holes }) => holes),
    connectors: rows.flatMap(({ connectors }) => connectors),
    height: top,
  };
}

function placeRow(row: JoinedOperation, attempts: RunHistory['attempts'], top: number) {
  // What is done and concerns no service is named and no more, so that the picture shows what it is about.
  const isBrief = row.verdict.kind === 'none' && row.receipts.length === 0 && row.operation.state === 'done';
  const lines = isBrief ? [] : programLines(row, attempts);
  const height = isBrief ? ledgerSizes.header + 2 : cardHeight(lines.length, row.verdict.words !== '');
  const operation: PlacedOperation = { row, lines, top, height };
  const { id } = row.operation;
  const connectors: Connector[] = [];
  let right = top;
  const keys = row.keys.map((use, number): PlacedKey => {
    const requests = requestLines(use, row);
    for (const [place, { look, at }] of requests.entries()) {
      if (at === null) continue;
      connectors.push({
        key: `${id} ${number} ${place}`,
        from: bodyHeight(operation, at),
        to: lineAt(right, place),
        look,
        isDashed: look === 'uncertain' || look === 'open',
      });
    }
    const placed = { use, owner: row, lines: requests, top: right, height: cardHeight(requests.length, false) };
    right += placed.height + ledgerSizes.between;
    return placed;
  });
  const holes = row.lost.map((service): PlacedHole => {
    const placed = { service, owner: row, top: right, height: cardHeight(1, false) };
    const from = bodyHeight(operation, Infinity);
    connectors.push({ key: `${id} ${service}`, from, to: lineAt(right, 0), look: 'failed', isDashed: true });
    right += placed.height + ledgerSizes.between;
    return placed;
  });
  const bottom = Math.max(top + operation.height, right - ledgerSizes.between);
  return { operation, keys, holes, connectors, bottom };
}

/** Where the body that was at work at a moment stands; its operation's heading when that line is left out. */
function bodyHeight({ row, lines, top }: PlacedOperation, at: number): number {
  const place = lines.findIndex(({ body }) => body !== null && body === bodyAt(row.bodies, at));
  return place === -1 ? top + ledgerSizes.header / 2 : lineAt(top, place);
}
