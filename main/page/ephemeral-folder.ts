import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../runtime/store/index.ts';
import { readProcess } from '../../runtime/supervisor/index.ts';
import { findDataFolder } from '../data-folder.ts';

/**
 * A private data folder that is removed when this process ends. One whose host was killed says in its name whose it
 * was, so that the next start can remove it: recorded in the same moment in which the folder comes to be.
 */
export function makeEphemeralFolder(): string {
  removeLeftOver();
  const root = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${startMark(process.pid) ?? ''}-`));
  process.once('exit', () => remove(root));
  return root;
}

const prefix = 'lab-ephemeral-';
const namePattern = new RegExp(`^${prefix}(?<pid>\\d+)-(?<mark>[0-9a-f]{12})-`);

/** Folders of this user whose host is dead: its process is gone, and nobody holds the folder's lock either. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir())) {
    const { pid, mark } = namePattern.exec(name)?.groups ?? {};
    if (pid === undefined || mark === undefined || startMark(Number(pid)) === mark) continue;
    const root = join(tmpdir(), name);
    const found = lstatSync(root, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && found.uid === process.getuid?.() && isUnlocked(root)) remove(root);
  }
}

/** Tells a process from a later one with the same id. Null when there is none that runs. */
function startMark(pid: number): string | null {
  const facts = readProcess(pid);
  if (facts === null || facts.zombie) return null;
  return createHash('sha256').update(facts.startTime).digest('hex').slice(0, 12);
}

/** A host that this process cannot see (another pid namespace with the same /tmp) still holds its lock. */
function isUnlocked(root: string): boolean {
  try {
    const lock = lockFolder(findDataFolder(root).lock);
    lock?.release();
    return lock !== null;
  } catch {
    return false;
  }
}

/** What cannot be removed now is left to the next start. */
function remove(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Nothing to be done about it at the end of a process.
  }
}
