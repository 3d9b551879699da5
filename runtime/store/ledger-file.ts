import Database from 'better-sqlite3';
import { accessSync, closeSync, constants, openSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { LabError } from '../core/index.ts';
import { applicationId, newestVersion } from './migration.ts';
import { ledgerError } from './sqlite-errors.ts';

/** What stands at the ledger's path: nothing yet, or a ledger of this version. */
export type LedgerFile = { readonly kind: 'empty' } | { readonly kind: 'ledger'; readonly version: number };

/**
 * Looks at what is there without changing a byte of it. Throws `ledger-newer`, `ledger-corrupt`, `ledger-unwritable`,
 * or `not-found` when its folder is missing. Reads through SQLite only: opening the file in another way and closing it
 * would drop the locks of a connection that this process may have on it.
 */
export function inspectLedger(file: string): LedgerFile {
  const found = statOf(file);
  if (found === null) {
    if (statOf(dirname(file)) !== null) return { kind: 'empty' };
    throw new LabError(
      'not-found',
      `the folder of the ledger ${file} does not exist`,
      'Create it, or name another data folder.',
    );
  }
  if (!found.isFile()) throw notALedger(file, found.isDirectory() ? 'it is a folder' : 'it is no regular file');
  if (found.size === 0) return { kind: 'empty' };
  let db: Database.Database | null = null;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return inspect(db, file);
  } catch (thrown) {
    throw ledgerError(thrown, file);
  } finally {
    db?.close();
  }
}

function inspect(db: Database.Database, file: string): LedgerFile {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (db.pragma('application_id', { simple: true }) !== applicationId) {
    const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
    if (version === 0 && tables === 0) return { kind: 'empty' };
    throw notALedger(file, 'it is an SQLite database of some other program');
  }
  if (version > newestVersion) {
    throw new LabError(
      'ledger-newer',
      `the ledger ${file} has version ${version}; this program knows versions up to ${newestVersion}`,
      'Use the newer program that wrote it, or another data folder. Nothing was changed.',
      { found: version, known: newestVersion },
    );
  }
  const damage = String(db.pragma('quick_check(1)', { simple: true }));
  if (damage !== 'ok') throw notALedger(file, `SQLite's check of it says: ${damage}`);
  return { kind: 'ledger', version };
}

/**
 * Throws `ledger-unwritable` when this user may not write the ledger or beside it. Asked before SQLite opens it: on a
 * read-only file SQLite would leave a read-only log behind, which is in the way when the file may be written again.
 */
export function requireRights(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    if (statOf(file) !== null) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    if (thrown instanceof LabError) throw thrown;
    // A folder that is missing is told apart by `inspectLedger`.
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new LabError(
      'ledger-unwritable',
      `the ledger ${file} cannot be written: ${(thrown as Error).message}`,
      checkRights,
    );
  }
}

const checkRights = 'Check that the file and its folder belong to this user and are not read-only.';

/** Creates the file, readable by its owner alone. SQLite gives its log the same rights. */
export function createLedgerFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // Another host was faster, or it was there and empty: either way it is there now.
    if (code === 'EEXIST') return;
    if (code === 'ENOSPC') {
      throw new LabError('disk-full', `the ledger ${file} cannot be created: ${message}`, 'Free space on that disk.');
    }
    throw new LabError('ledger-unwritable', `the ledger ${file} cannot be created: ${message}`, checkRights);
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (thrown) {
    throw new LabError(
      'ledger-unwritable',
      `${path} cannot be looked at: ${(thrown as Error).message}`,
      'Check the rights of the folders above it.',
    );
  }
}

function notALedger(file: string, why: string): LabError {
  return new LabError(
    'ledger-corrupt',
    `${file} is not a sound ledger: ${why}`,
    'Nothing was changed. Move it aside, name another data folder, or put a backup back.',
  );
}
