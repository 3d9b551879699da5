import { z } from 'zod';
import type { Answer } from '../http-service.ts';
import { recordRequest, type ServiceDatabase } from '../service-database.ts';

export const auditLine = z.strictObject({ line: z.string().min(1).max(10_000) });
export type AuditLine = z.infer<typeof auditLine>;

export const linesSchema = `
  CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reference TEXT,
    line TEXT NOT NULL
  ) STRICT;`;

/** Appends a line. There is no deduplication: the same request twice is two lines, whatever its reference says. */
export function appendLine(
  db: ServiceDatabase,
  request: { body: AuditLine; reference: string | null; bodyHash: string; path: string },
): Answer {
  return db
    .transaction((): Answer => {
      const { lastInsertRowid } = db
        .prepare('INSERT INTO lines (at, reference, line) VALUES (?, ?, ?)')
        .run(Date.now(), request.reference, request.body.line);
      recordRequest(db, { ...request, outcome: 'appended' });
      return { status: 201, body: { line: Number(lastInsertRowid) } };
    })
    .immediate();
}

/** The lines that requests with this reference left, oldest first. */
export function findLines(db: ServiceDatabase, reference: string): { lines: { line: number; text: string }[] } {
  const rows = db.prepare('SELECT id, line FROM lines WHERE reference = ? ORDER BY id').all(reference);
  return { lines: (rows as { id: number; line: string }[]).map(({ id, line }) => ({ line: id, text: line })) };
}
