import type { EventData, EventType, LabEvent } from '../contract/index.ts';
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

export interface EventQueries {
  /** In order of their sequence numbers, after `after`. */
  events(run: string, page: { readonly after: number; readonly limit: number }): LabEvent[];
}

export function prepareEventQueries(db: Reader): EventQueries {
  const page = db.prepare<[string, number, number], Omit<LabEvent, 'data'> & { readonly data: string }>(eventsSql);
  return {
    events: (run, { after, limit }) =>
      page.all(run, after, limit).map((row) => ({ ...row, data: JSON.parse(row.data) as Json })),
  };
}
