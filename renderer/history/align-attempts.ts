import type { AttemptHistory, OperationHistory, RunHistory, Span } from './run-history.ts';

/** What one attempt did with one operation. */
export type CellKind =
  /** Its first body, in the run's first attempt. */
  | 'ran'
  /** Its body was begun again: an earlier attempt had begun it and did not complete it. */
  | 'again'
  /** Its first body, in a later attempt. */
  | 'new'
  | 'reused'
  /** Reused, though the relay asked with other arguments than those recorded. */
  | 'diverged';

export interface Cell {
  readonly kind: CellKind;
  readonly span: Span;
}

export interface AlignedRow {
  readonly operation: OperationHistory;
  /** One for each attempt asked for; null where it did not come to the operation. */
  readonly cells: readonly (Cell | null)[];
  /** Whether the attempts did different things with it. */
  readonly differs: boolean;
}

/** The operations of the given attempts side by side, in program order; those that none of them came to are left out. */
export function alignAttempts(history: RunHistory, numbers: readonly number[]): AlignedRow[] {
  const first = history.attempts[0]?.number ?? 1;
  return history.operations.flatMap((operation) => {
    const cells = numbers.map((number) => cellOf(operation, number, first));
    if (cells.every((cell) => cell === null)) return [];
    return [{ operation, cells, differs: new Set(cells.map((cell) => sign(cell))).size > 1 }];
  });
}

function cellOf({ spans }: OperationHistory, number: number, first: number): Cell | null {
  const own = spans.filter(({ attempt }) => attempt === number);
  // A body that was begun says more than an answer from history in the same attempt.
  const span = own.findLast(({ outcome }) => outcome !== 'reused') ?? own.at(-1);
  if (span === undefined) return null;
  if (span.outcome === 'reused') return { kind: span.diverged ? 'diverged' : 'reused', span };
  const wasBegun = spans.some(({ attempt, outcome }) => attempt < number && outcome !== 'reused');
  return { kind: wasBegun ? 'again' : number === first ? 'ran' : 'new', span };
}

function sign(cell: Cell | null): string {
  return cell === null ? '' : `${cell.kind} ${cell.span.outcome}`;
}

/** How often each thing happened in one of the aligned attempts. */
export function countCells(rows: readonly AlignedRow[], column: number): Readonly<Record<CellKind, number>> {
  const counts = { ran: 0, again: 0, new: 0, reused: 0, diverged: 0 };
  for (const { cells } of rows) {
    const cell = cells[column];
    if (cell != null) counts[cell.kind] += 1;
  }
  return counts;
}

/** The last two attempts: what a person compares first. */
export function lastTwo(attempts: readonly AttemptHistory[]): readonly number[] {
  return attempts.slice(-2).map(({ number }) => number);
}
