import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { relaySource } from './built-program.ts';
import { onFiles, type DataFolder } from './data-folder.ts';

/**
 * A scenario's relay as a folder of the data folder, absolute. A run recovers only under the folder that it was started
 * from, and the package's own folder may be elsewhere at the next start (an AppImage is mounted anew each time), or hold
 * other sources after an update: so each content is copied once, to a folder named for it, and left there. Throws
 * `ledger-unwritable` or `disk-full`.
 */
export function ownRelay(folder: Pick<DataFolder, 'root'>, name: string, source = relaySource(name)): string {
  const copies = join(folder.root, 'scenario-relays');
  const copy = join(copies, `${name}-${contentHash(source).slice(0, 12)}`);
  if (existsSync(copy)) return copy;
  onFiles(`the relay ${name} cannot be copied to ${copy}`, () => {
    // Whole under its final name, or not there.
    const draft = `${copy}.draft`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(source, draft, { recursive: true });
    renameSync(draft, copy);
  });
  return copy;
}

/** sha256 in hexadecimal over every file's path, size and bytes. */
function contentHash(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  for (const path of files.sort()) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
