import { parentId } from '../../runtime/contract/index.ts';
import type { ClockEdges } from './clock-edges.ts';
import type { AttemptHistory, OperationHistory, RunHistory, Span } from './run-history.ts';

/** An operation's time in one attempt, placed in a row of that attempt's lane. */
export interface Bar {
  readonly operation: OperationHistory;
  readonly span: Span;
  readonly row: number;
  /** Edges of the clock between which it is drawn; `to` is null while it is open. */
  readonly from: number;
  readonly to: number | null;
}

/** One attempt on the timeline. */
export interface Lane {
  readonly attempt: AttemptHistory;
  /** Bars of each row, in the order of their begin. */
  readonly rows: readonly (readonly Bar[])[];
  /** Edges: when it was claimed, spawned, and at its first operation and its end, as far as it came. */
  readonly claimed: number;
  readonly spawned: number | null;
  readonly first: number | null;
  readonly ended: number | null;
}

/** More operations than this side by side share the last row. */
const mostRows = 48;

/** Lanes in the order of the attempts. Operations that run side by side stand in rows below each other. */
export function layoutLanes(history: RunHistory, edges: ClockEdges): Lane[] {
  const byAttempt = new Map<number, { operation: OperationHistory; span: Span }[]>();
  for (const operation of history.operations) {
    for (const span of operation.spans) {
      const found = byAttempt.get(span.attempt);
      if (found === undefined) byAttempt.set(span.attempt, [{ operation, span }]);
      else found.push({ operation, span });
    }
  }
  const edgeOf = (sequence: number): number => edges.ofEvent[sequence - 1] ?? 0;
  return history.attempts.map((attempt) => {
    const spans = byAttempt.get(attempt.number) ?? [];
    spans.sort((a, b) => a.span.begun - b.span.begun);
    const [first] = spans;
    return {
      attempt,
      rows: stack(spans, edgeOf),
      claimed: edgeOf(attempt.claimed),
      spawned: attempt.spawned === null ? null : edgeOf(attempt.spawned),
      first: first === undefined ? null : edgeOf(first.span.begun),
      ended: attempt.ended === null ? null : edgeOf(attempt.ended),
    };
  });
}

function stack(
  spans: readonly { operation: OperationHistory; span: Span }[],
  edgeOf: (sequence: number) => number,
): Bar[][] {
  const rows: Bar[][] = [];
  const ends: number[] = [];
  const rowOf = new Map<string, number>();
  for (const { operation, span } of spans) {
    const from = edgeOf(span.begun);
    // What was answered from history takes no time; it is drawn up to what came next.
    const to = span.outcome === 'reused' ? from + 1 : span.ended === null ? null : edgeOf(span.ended);
    const parent = parentId(operation.id);
    let row = parent === null ? 0 : (rowOf.get(parent) ?? -1) + 1;
    while (row < mostRows - 1 && (ends[row] ?? -1) > from) row += 1;
    while (rows.length <= row) rows.push([]);
    rows[row]?.push({ operation, span, row, from, to });
    ends[row] = to ?? Infinity;
    rowOf.set(operation.id, row);
  }
  return rows;
}
