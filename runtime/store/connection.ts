import Database from 'better-sqlite3';
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LabError } from '../core/index.ts';

declare const readRight: unique symbol;
declare const writeRight: unique symbol;
/** A connection that may only read. */
export type Reader = Database.Database & { readonly [readRight]: true };
/** The one connection that may write; it lives on the writer thread. */
export type Writer = Reader & { readonly [writeRight]: true };

const busyTimeoutMs = 5000;
/** The log is folded into the database after this many pages (4 MiB), and then written over from its start. */
const checkpointPages = 1000;
const reservedLogBytes = 4 * 1024 * 1024;
/** A log that grew beyond this is cut back to it. */
const largestLogBytes = 16 * 1024 * 1024;
const cachePages = 4000;

/** The settings that durability and speed rest on, as SQLite reports them. Values as `PRAGMA name` gives them. */
export interface ConnectionSettings {
  readonly journal_mode: string;
  /** 2 is FULL. */
  readonly synchronous: number;
  readonly foreign_keys: number;
  readonly fullfsync: number;
  readonly checkpoint_fullfsync: number;
  readonly busy_timeout: number;
  readonly journal_size_limit: number;
  readonly wal_autocheckpoint: number;
}

export function openWriter(file: string): Writer {
  const db = new Database(file, { timeout: busyTimeoutMs }) as Writer;
  return configured(db, () => {
    db.pragma('journal_mode = WAL');
    configure(db);
  });
}

export function openReader(file: string): Reader {
  const db = new Database(file, { timeout: busyTimeoutMs, readonly: true, fileMustExist: true }) as Reader;
  return configured(db, () => {
    configure(db);
    db.pragma('query_only = ON');
  });
}

function configured<Connection extends Reader>(db: Connection, configureIt: () => void): Connection {
  try {
    configureIt();
    requireSettings(db);
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function configure(db: Reader): void {
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  if (process.platform === 'darwin') {
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  db.pragma(`journal_size_limit = ${largestLogBytes}`);
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma(`cache_size = ${cachePages}`);
}

export function readSettings(db: Reader): ConnectionSettings {
  const number = (name: string): number => Number(db.pragma(name, { simple: true }));
  return {
    journal_mode: String(db.pragma('journal_mode', { simple: true })),
    synchronous: number('synchronous'),
    foreign_keys: number('foreign_keys'),
    fullfsync: number('fullfsync'),
    checkpoint_fullfsync: number('checkpoint_fullfsync'),
    busy_timeout: number('busy_timeout'),
    journal_size_limit: number('journal_size_limit'),
    wal_autocheckpoint: number('wal_autocheckpoint'),
  };
}

function requireSettings(db: Reader): void {
  const flush = process.platform === 'darwin' ? 1 : 0;
  const required: ConnectionSettings = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    fullfsync: flush,
    checkpoint_fullfsync: flush,
    busy_timeout: busyTimeoutMs,
    journal_size_limit: largestLogBytes,
    wal_autocheckpoint: checkpointPages,
  };
  const found = readSettings(db);
  for (const name of Object.keys(required) as (keyof ConnectionSettings)[]) {
    if (found[name] === required[name]) continue;
    throw new LabError(
      'ledger-unwritable',
      `the ledger ${db.name} has ${name} = ${found[name]} where ${required[name]} is needed for what is acknowledged to last`,
      'Put the data folder on a local file system: a network file system cannot hold a write-ahead log.',
      { setting: name, found: found[name], required: required[name] },
    );
  }
}

/**
 * Gives the log its room on disk, on a thread that has nothing else to do yet. A flush of a file that also grows must
 * write the file system's own records too: measured at half as much again for each commit. The rows that make the room
 * are taken back, they only ever were in the log. Does nothing where room is scarce.
 */
export function reserveLog(db: Writer): void {
  const { bavail, bsize } = statfsSync(dirname(db.name));
  if (logSize(db) >= reservedLogBytes || bavail * bsize < 100 * reservedLogBytes) return;
  // With next to no cache SQLite writes them to the log before it knows that they will be taken back.
  db.pragma('cache_size = 10');
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec(`CREATE TABLE log_room (filler BLOB) STRICT; INSERT INTO log_room VALUES (zeroblob(${reservedLogBytes}))`);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.pragma(`cache_size = ${cachePages}`);
  }
  // A commit that changes nothing: its flush takes the room with it, so that the first that matters need not.
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
}

/** Moves the log into the database without waiting for readers, so that the next commit writes over the log from its start. */
export function checkpointWhenIdle(db: Writer): void {
  db.pragma('wal_checkpoint(PASSIVE)');
  if (logSize(db) <= largestLogBytes) return;
  // Readers held the log back and it grew. Do not wait for those that still do: the next time is soon enough.
  db.pragma('busy_timeout = 0');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma(`busy_timeout = ${busyTimeoutMs}`);
}

export function closeWriter(db: Writer): void {
  try {
    db.pragma('busy_timeout = 0');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** Bytes of the write-ahead log. It is only looked at: opening it here would drop SQLite's locks on it. */
export function logSize(db: Reader): number {
  return statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
