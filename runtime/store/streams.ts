import { LabError, type LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';

type StreamAppend = Extract<LedgerWrite, { tag: 'stream/append' }>;

/** Appends once a writer; a null value closes the stream. */
export function prepareStreamWrites(db: Writer): (write: StreamAppend) => void {
  const append = db.prepare<[string, string, string | null, string, number, string, string]>(
    `INSERT INTO streams (workflow, key, position, value, writer, written_at)
     SELECT ?, ?, count(*), ?, ?, ? FROM streams WHERE workflow = ? AND key = ?
     HAVING count(*) = count(value)
     ON CONFLICT (workflow, key, writer) DO NOTHING`,
  );
  const writtenBy = db
    .prepare<[string, string, string], number>('SELECT position FROM streams WHERE workflow = ? AND key = ? AND writer = ?')
    .pluck();
  return ({ at, workflow, key, value, writer }) => {
    if (append.run(workflow, key, value, writer, at, workflow, key).changes === 1) return;
    if (writtenBy.get(workflow, key, writer) !== undefined) return;
    throw new LabError(
      'wrong-state',
      `the stream "${key}" of workflow ${workflow} is closed; expected an open one to write to`,
      'Write before closing it, or use another key.',
      { workflow, key },
    );
  };
}

export interface StreamQueries {
  /** Values from position `from` (from 0) on; `closed` when the stream was closed after them. */
  stream(workflow: string, key: string, from: number): { readonly values: readonly string[]; readonly closed: boolean };
}

export function prepareStreamQueries(db: Reader): StreamQueries {
  const from = db
    .prepare<[string, string, number], string | null>(
      'SELECT value FROM streams WHERE workflow = ? AND key = ? AND position >= ? ORDER BY position',
    )
    .pluck();
  // Closing takes a position of its own, and nothing comes after it.
  const closed = db
    .prepare<[string, string], number>(
      'SELECT count(*) FROM (SELECT value FROM streams WHERE workflow = ? AND key = ? ORDER BY position DESC LIMIT 1) WHERE value IS NULL',
    )
    .pluck();
  return {
    stream: (workflow, key, first) => ({
      values: from.all(workflow, key, first).filter((value) => value !== null),
      closed: closed.get(workflow, key) === 1,
    }),
  };
}
