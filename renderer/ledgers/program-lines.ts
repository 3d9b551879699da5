import { describeEnd } from '../../runtime/contract/index.ts';
import type { RunHistory } from '../history/run-history.ts';
import type { JoinedOperation } from './join-ledgers.ts';

/** One entry of the program's own ledger. */
export interface ProgramLine {
  readonly sign: string;
  readonly look: 'done' | 'reused' | 'open' | 'failed' | 'kill' | 'uncertain' | 'quiet';
  readonly words: string;
  /** Milliseconds since 1970; null for what is still to come. */
  readonly at: number | null;
  /** Place of the body whose beginning this is; null for other entries. */
  readonly body: number | null;
}

const mostLines = 8;

/** What the ledger holds of an operation, in its order: bodies begun, receipts, reuse, decision, checkpoint or none. */
export function programLines(row: JoinedOperation, attempts: RunHistory['attempts']): ProgramLine[] {
  const { operation } = row;
  const checkpoint = operation.spans.findLast(({ outcome }) => outcome === 'done' || outcome === 'failed');
  const lines: ProgramLine[] = [
    ...row.bodies.flatMap(({ attempt, number, from, to, end }, body): ProgramLine[] => {
      const words = `body begun · attempt ${attempt}${number > 1 ? `, try ${number}` : ''}`;
      const begun: ProgramLine = { sign: '▷', look: 'open', words, at: from, body };
      if (end !== 'cut') return [begun];
      const cause = attempts.find((one) => one.number === attempt)?.cause ?? null;
      return [
        begun,
        { sign: '⚡', look: 'kill', words: cause === null ? 'process gone' : describeEnd(cause), at: to, body: null },
      ];
    }),
    ...row.receipts.map(({ ok, kind, name, at }): ProgramLine => ({
      sign: ok ? '✓' : '✕',
      look: ok ? 'quiet' : 'failed',
      words: `receipt · ${kind} ${name}${ok ? '' : kind === 'admission' ? ' denied' : ' failed'}`,
      at,
      body: null,
    })),
    ...operation.spans
      .filter(({ outcome }) => outcome === 'reused')
      .map(({ attempt, from }): ProgramLine => ({
        sign: '◇',
        look: 'reused',
        words: `reused · attempt ${attempt}`,
        at: from,
        body: null,
      })),
  ];
  if (operation.decision !== null) {
    const { decision, by, at } = operation.decision;
    const isAccepted = decision === 'accept';
    lines.push({
      ...{ sign: isAccepted ? '◆' : '✎', look: isAccepted ? 'done' : 'uncertain', at, body: null },
      words: `${decisions[decision]} · ${by}`,
    });
  }
  if (operation.settled !== null) {
    const { attempt, at } = operation.settled;
    const words = `checkpoint · found out by recover · attempt ${attempt}`;
    lines.push({ sign: '◆', look: 'done', words, at, body: null });
  }
  if (checkpoint !== undefined) {
    const isDone = checkpoint.outcome === 'done';
    lines.push({
      ...{ sign: isDone ? '◆' : '✕', look: isDone ? 'done' : 'failed', at: checkpoint.to, body: null },
      words: isDone ? 'checkpoint' : `checkpoint of an error: ${operation.error ?? ''}`,
    });
  }
  lines.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  if (operation.state === 'open')
    lines.push({ sign: '…', look: 'quiet', words: 'no checkpoint yet', at: null, body: null });
  if (operation.state === 'cut') {
    const words = row.isUncertain ? 'no checkpoint: uncertain' : 'no checkpoint';
    lines.push({ sign: '◌', look: row.isUncertain ? 'uncertain' : 'kill', words, at: null, body: null });
  }
  return shortened(lines);
}

const decisions = {
  accept: 'checkpoint · result accepted',
  again: 'decided: run it again',
  fail: 'decided: fail the run',
} as const;

/** The first and the last are never pushed out by those between. */
function shortened(lines: ProgramLine[]): ProgramLine[] {
  if (lines.length <= mostLines) return lines;
  const kept = mostLines / 2;
  const words = `${lines.length - 2 * kept + 1} more entries`;
  return [
    ...lines.slice(0, kept - 1),
    { sign: '⋮', look: 'quiet', words, at: null, body: null },
    ...lines.slice(-kept),
  ];
}
