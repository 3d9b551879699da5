import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** Schema that all services have: every request that reached one, with what came of it. */
const requestsTable = `
  CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    path TEXT NOT NULL,
    reference TEXT,
    body_hash TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;`;

export type ServiceDatabase = Database.Database;

/** Opens a service's database, so that what it answers is on disk before it answers. */
export function openServiceDatabase(path: string, schema: string): ServiceDatabase {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new Database(path, { timeout: 5000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  if (process.platform === 'darwin') {
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error(`${path}: synchronous = FULL was not taken`);
  // In one step: who reads finds all tables or none.
  db.exec(`BEGIN IMMEDIATE; ${requestsTable} ${schema} COMMIT`);
  return db;
}

/**
 * Reads a service's database at one moment, by a connection that cannot write. Null for a service that has not begun:
 * without a file, or without its tables yet.
 */
export function withServiceDatabase<Gives>(path: string, read: (db: ServiceDatabase) => Gives): Gives | null {
  if (!existsSync(path)) return null;
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    return db.transaction(() => {
      const begun = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'requests'").get() !== undefined;
      return begun ? read(db) : null;
    })();
  } finally {
    db.close();
  }
}

export interface RequestRecord {
  readonly path: string;
  readonly reference: string | null;
  readonly bodyHash: string;
  readonly outcome: string;
}

/** Writes one request down, as part of the transaction that does its work. */
export function recordRequest(db: ServiceDatabase, { path, reference, bodyHash, outcome }: RequestRecord): void {
  db.prepare('INSERT INTO requests (at, path, reference, body_hash, outcome) VALUES (?, ?, ?, ?, ?)').run(
    Date.now(),
    path,
    reference,
    bodyHash,
    outcome,
  );
}
