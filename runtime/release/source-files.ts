import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { publishFailed } from './release-error.ts';

/** Bounds of what one release may freeze. Sizes in bytes. */
const sourceBounds = { files: 2000, fileBytes: 4 * 1024 * 1024, totalBytes: 32 * 1024 * 1024 } as const;

/**
 * Whether a name is left out of releases: `node_modules` (what is imported of it is in the bundle) and everything that
 * begins with a dot (`.git`, `.env`, editors' folders: not the program, and often where secrets lie).
 */
function isLeftOut(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

/**
 * Every file of a relay folder that belongs to its release, by its path with `/`, in code-point order. A hard link is
 * read like any file. Throws `publish-failed` naming what is no regular file, or which bound is passed.
 */
export async function readSourceFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let totalBytes = 0;
  for (const path of await listSourcePaths(folder)) {
    const bytes = await readRegularFile(join(folder, path), path);
    totalBytes += bytes.length;
    if (totalBytes > sourceBounds.totalBytes) {
      throw tooLarge(`${folder} holds more than ${sourceBounds.totalBytes} bytes of files`);
    }
    files.set(path, bytes);
  }
  return files;
}

async function listSourcePaths(folder: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (inner: string): Promise<void> => {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      if (isLeftOut(entry.name)) continue;
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) found.push(path);
      else throw notRegular(path, entry.isSymbolicLink() ? 'a symbolic link' : 'no regular file');
      if (found.length > sourceBounds.files) throw tooLarge(`${folder} holds more than ${sourceBounds.files} files`);
    }
  };
  await visit('');
  return found.sort((a, b) => (a < b ? -1 : 1));
}

async function readRegularFile(absolute: string, path: string): Promise<Buffer> {
  // The entry may have been swapped since it was listed: the open file is what is judged and read, never its name. A
  // pipe must not block the open either.
  const file = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw notRegular(path, 'no regular file');
    if (stat.size > sourceBounds.fileBytes) {
      throw tooLarge(`${path} has ${stat.size} bytes; a file of a release may have ${sourceBounds.fileBytes}`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function notRegular(path: string, what: string): Error {
  return publishFailed(
    `${path} is ${what}; a release freezes regular files only`,
    'Replace it by a copy of the file that it stands for, or remove it.',
    { path },
  );
}

function tooLarge(message: string): Error {
  return publishFailed(message, 'Keep data out of the relay folder, or in a folder whose name begins with a dot.');
}
