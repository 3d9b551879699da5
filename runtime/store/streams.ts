import { LabError, type LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';

type StreamAppend = Extract<LedgerWrite, { tag: 'stream/append' }>;

const lastSql = 'SELECT position, value FROM streams WHERE workflow = ? AND key = ? ORDER BY position DESC LIMIT 1';

/** Appends once a writer; a null value closes the stream. */
export function prepareStreamWrites(db: Writer): (write: StreamAppend) => void {
  const last = db.prepare<[string, string], { readonly position: number; readonly value: string | null }>(lastSql);
  const append = db.prepare<[string, string, number, string | null, string, number]>(
    'INSERT INTO streams (workflow, key, position, value, writer, written_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const writtenBy = db
    .prepare<[string, string, string], number>('SELECT 1 FROM streams WHERE workflow = ? AND key = ? AND writer = ?')
    .pluck();
  return ({ at, workflow, key, value, writer }) => {
    if (writtenBy.get(workflow, key, writer) === 1) return;
    const end = last.get(workflow, key);
    if (end?.value === null) {
      throw new LabError(
        'wrong-state',
        `the stream "${key}" of workflow ${workflow} is closed; expected an open one to write to`,
        'Write before closing it, or use another key.',
        { workflow, key },
      );
    }
    append.run(workflow, key, (end?.position ?? -1) + 1, value, writer, at);
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
  const last = db.prepare<[string, string], { readonly value: string | null }>(lastSql);
  return {
    stream: (workflow, key, first) => ({
      values: from.all(workflow, key, first).filter((value) => value !== null),
      closed: last.get(workflow, key)?.value === null,
    }),
  };
}
