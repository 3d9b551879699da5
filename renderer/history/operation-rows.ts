import { toSortKey } from '../../runtime/contract/index.ts';
import type { OperationHistory } from './run-history.ts';

export type Column = 'id' | 'kind' | 'name' | 'state' | 'bodies' | 'duration' | 'tries' | 'receipts';
export interface Order {
  readonly by: Column;
  readonly descending: boolean;
}

export interface RowFilter {
  /** Null for all. */
  readonly kind: string | null;
  readonly state: string | null;
  /** Words that all have to stand in id, kind, name or error. */
  readonly text: string;
}

export type ShownState = OperationHistory['state'] | 'uncertain' | 'reused';

/** An operation's state as the page says it: uncertain instead of cut, reused where the last attempt ran no body of it. */
export function shownState(operation: OperationHistory, uncertain: ReadonlySet<string>): ShownState {
  if (operation.state === 'cut' && uncertain.has(operation.id)) return 'uncertain';
  const last = operation.spans.at(-1);
  if (operation.state !== 'done' || last?.outcome !== 'reused') return operation.state;
  // A tool that an agent asks for twice runs and is reused in one attempt.
  const ran = operation.spans.some(({ attempt, outcome }) => attempt === last.attempt && outcome !== 'reused');
  return ran ? 'done' : 'reused';
}

/** Milliseconds that bodies of the operation were at work, over all attempts; an open one up to `now`. */
export function workedMs({ spans }: OperationHistory, now: number): number {
  return spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
}

/** The rows that pass the filter, in the order asked for; equal ones in program order. `rows` comes in that order. */
export function arrangeRows(
  rows: readonly OperationHistory[],
  filter: RowFilter,
  order: Order,
  uncertain: ReadonlySet<string>,
): readonly OperationHistory[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rows.filter((row) => {
    if (filter.kind !== null && row.kind !== filter.kind) return false;
    if (filter.state !== null && shownState(row, uncertain) !== filter.state) return false;
    const text = words.length === 0 ? '' : `${row.id} ${row.kind} ${row.name} ${row.error ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (order.by === 'id') return order.descending ? kept.reverse() : kept;
  const value = values[order.by];
  const keyed = kept.map((row, place) => ({ row, place, key: value(row, uncertain) }));
  const sign = order.descending ? -1 : 1;
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.place - b.place));
  return keyed.map(({ row }) => row);
}

const values: Readonly<Record<Column, (row: OperationHistory, uncertain: ReadonlySet<string>) => string | number>> = {
  id: ({ id }) => toSortKey(id),
  kind: ({ kind }) => kind,
  name: ({ name }) => name.toLowerCase(),
  state: shownState,
  bodies: ({ bodies }) => bodies,
  // An operation that is open has no duration yet: after all others.
  duration: (row) => (row.spans.some(({ to }) => to === null) ? Infinity : workedMs(row, 0)),
  tries: ({ tries }) => tries.length,
  receipts: ({ receipts }) => receipts,
};
