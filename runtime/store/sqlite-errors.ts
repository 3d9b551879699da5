import Database from 'better-sqlite3';
import { asLabError, LabError, type ErrorCode } from '../core/index.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly what: string;
  readonly next: string;
}

const unwritable: Meaning = {
  code: 'ledger-unwritable',
  what: 'cannot be written',
  next: 'Check that the file, its -wal and -shm, and their folder belong to this user and are not read-only, and that the disk reports no errors.',
};
const corrupt: Meaning = {
  code: 'ledger-corrupt',
  what: 'is damaged or is no ledger',
  next: 'Nothing was changed. Move the file aside with its -wal and -shm, or put a copy of it back from a backup.',
};

/** By SQLite's primary result code. */
const meanings: Readonly<Record<string, Meaning>> = {
  SQLITE_FULL: {
    code: 'disk-full',
    what: 'cannot grow: the disk is full',
    next: 'Free space on that disk. What was acknowledged is kept, and writing goes on when there is room.',
  },
  SQLITE_READONLY: unwritable,
  SQLITE_CANTOPEN: unwritable,
  SQLITE_IOERR: unwritable,
  SQLITE_PERM: unwritable,
  SQLITE_CORRUPT: corrupt,
  SQLITE_NOTADB: corrupt,
  SQLITE_BUSY: {
    code: 'locked',
    what: 'is locked by another process',
    next: 'Find out which process holds it (another host on the same data folder?) and try again.',
  },
};

/** What an error of SQLite means for the ledger; any other thrown thing as `asLabError` has it. */
export function ledgerError(thrown: unknown, file: string): LabError {
  if (!(thrown instanceof Database.SqliteError)) return asLabError(thrown);
  const primary = /^SQLITE_[A-Z]+/.exec(thrown.code)?.[0] ?? '';
  const meaning = meanings[primary];
  const detail = `${thrown.code}: ${thrown.message}`;
  if (meaning === undefined) {
    return new LabError(
      'internal',
      `the ledger ${file} refused a write of the lab: ${detail}`,
      'Please report this text.',
    );
  }
  return new LabError(meaning.code, `the ledger ${file} ${meaning.what} (${detail})`, meaning.next, {
    file,
    sqlite: thrown.code,
  });
}

/** The lock could not be had: whoever else tries now would wait as long in vain. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}
