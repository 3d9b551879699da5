import Database from 'better-sqlite3';
import { LabError } from '../core/index.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Takes the lock of a data folder, or gives null while another process holds it. It is an exclusive SQLite lock on
 * `file`, which the operating system drops with its holder, however that ends. The file must be opened by nothing else
 * in this process: closing any descriptor of it would drop the lock. Throws `ledger-unwritable`.
 */
export function lockFolder(file: string): FolderLock | null {
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => void held.close() };
  } catch (error) {
    database?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return null;
    const found = error instanceof Error ? error.message : String(error);
    throw new LabError(
      'ledger-unwritable',
      `the lock ${file} cannot be taken: ${found} (${code})`,
      'Check that the folder is yours and writable, and that the disk has room.',
    );
  }
}
