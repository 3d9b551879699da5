import type { EventData, EventType, LabEvent, OperationDetail } from '../contract/index.ts';
import type { EpochMs, Json, OperationId } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';
import type { KnownRun } from './known-runs.ts';

/** What an event is about, beside its run. */
interface Subject {
  readonly at: EpochMs;
  readonly attempt: number | null;
  readonly operation: OperationId | null;
}

/** Appends an event to those of a run and returns it. Sequence numbers are given here and nowhere else. */
export type AppendEvent = <Type extends EventType>(
  run: KnownRun,
  type: Type,
  subject: Subject,
  data: EventData<Type>,
) => LabEvent;

export function prepareEventWrites(db: Writer): AppendEvent {
  const insert = db.prepare<[number, number, EpochMs, EventType, number | null, OperationId | null, string]>(
    'INSERT INTO events (run, sequence, at, type, attempt, operation, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (run, type, { at, attempt, operation }, data) => {
    const sequence = run.sequence + 1;
    insert.run(run.number, sequence, at, type, attempt, operation, JSON.stringify(data));
    run.sequence = sequence;
    return { run: run.id, sequence, at, type, attempt, operation, data: data as Json };
  };
}

export const eventsSql = `
  SELECT runs.id AS run, sequence, at, type, attempt, operation, data
  FROM events JOIN runs ON runs.number = events.run
  WHERE events.run = (SELECT number FROM runs WHERE id = ?) AND sequence > ?
  ORDER BY sequence LIMIT ?`;

export const triesSql = `
  SELECT attempt, at, data FROM events
  WHERE run = (SELECT number FROM runs WHERE id = ?) AND operation = ? AND type = 'operation.try' ORDER BY sequence`;

/** Rows lie in the order they were written: the newest is the last. */
export const lastEventSql = `
  SELECT runs.id AS run, sequence, at, type, attempt, operation, data
  FROM events JOIN runs ON runs.number = events.run WHERE events.rowid = (SELECT max(rowid) FROM events)`;

export interface EventQueries {
  /** In order of their sequence numbers, after `after`. */
  events(run: string, page: { readonly after: number; readonly limit: number }): LabEvent[];
  /** The newest event of all runs; null in an empty ledger. */
  lastEvent(): LabEvent | null;
  /** Failed tries of an operation's body, in order, over all attempts. */
  tries(run: string, operation: OperationId): OperationDetail['tries'];
}

type EventRow = Omit<LabEvent, 'data'> & { readonly data: string };
interface TryRow {
  readonly attempt: number;
  readonly at: EpochMs;
  readonly data: string;
}

export function prepareEventQueries(db: Reader): EventQueries {
  const page = db.prepare<[string, number, number], EventRow>(eventsSql);
  const last = db.prepare<[], EventRow>(lastEventSql);
  const tries = db.prepare<[string, OperationId], TryRow>(triesSql);
  const toEvent = (row: EventRow): LabEvent => ({ ...row, data: JSON.parse(row.data) as Json });
  return {
    events: (run, { after, limit }) => page.all(run, after, limit).map(toEvent),
    lastEvent() {
      const row = last.get();
      return row === undefined ? null : toEvent(row);
    },
    tries: (run, operation) =>
      tries
        .all(run, operation)
        .map(({ attempt, at, data }) => ({ attempt, at, ...(JSON.parse(data) as EventData<'operation.try'>) })),
  };
}
