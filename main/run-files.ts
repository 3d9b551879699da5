import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFile, RunFileContent } from '../runtime/contract/index.ts';
import { LabError } from '../runtime/core/index.ts';

/** Most files that are listed: a relay may make any number. */
const mostFiles = 5000;
/** As much of a file's beginning tells whether it is text. */
const sniffedBytes = 4096;
/** A pipe must not block the open, and a link not lead anywhere. */
const withoutFollowing = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** The longest character of UTF-8: any part that begins at one and has room for one holds one. */
const longestCharacter = 4;

/** Regular files of a run's folder, sorted by path, at most 5,000. Links and devices are left out, and never followed. */
export async function listRunFiles(folder: string): Promise<RunFile[]> {
  const paths: string[] = [];
  const visit = async (inner: string): Promise<void> => {
    const entries = await readdir(join(folder, inner), { withFileTypes: true }).catch(noneIfGone);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (paths.length === mostFiles) return;
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) paths.push(path);
    }
  };
  await visit('');
  const files: RunFile[] = [];
  for (const path of paths.sort((a, b) => (a < b ? -1 : 1))) {
    // One that went meanwhile is not there any more.
    const file = await describe(folder, path).catch(() => null);
    if (file !== null) files.push(file);
  }
  return files;
}

async function describe(folder: string, path: string): Promise<RunFile> {
  await using file = await open(join(folder, path), withoutFollowing);
  const { size, mtimeMs } = await file.stat();
  return { path, bytes: size, modifiedAt: mtimeMs, text: await beginsAsText(file) };
}

/**
 * A part of a file of a run's folder: text that begins and ends at whole characters, or base64. Throws `invalid-input`
 * for a path that leads out of the folder, and `not-found` for what is not there or no regular file.
 */
export async function readRunFile(
  folder: string,
  { path, offset, limit }: { readonly path: string; readonly offset: number; readonly limit: number },
): Promise<RunFileContent> {
  await using file = await openInside(folder, path);
  const { size } = await file.stat();
  const isText = await beginsAsText(file);
  const length = isText ? Math.max(limit, longestCharacter) : limit;
  const read = await file.read({ buffer: Buffer.allocUnsafe(length), position: offset });
  const bytes = read.buffer.subarray(0, read.bytesRead);
  const end = offset + bytes.length;
  const whole = end < size ? bytes.subarray(0, bytes.length - cutCharacter(bytes)) : bytes;
  const text = isText ? decode(whole, false) : null;
  const part = text === null ? bytes : whole;
  const next = offset + part.length;
  return {
    path,
    bytes: size,
    offset,
    encoding: text === null ? 'base64' : 'utf8',
    content: text ?? part.toString('base64'),
    next: part.length > 0 && next < size ? next : null,
  };
}

async function openInside(folder: string, path: string): Promise<FileHandle> {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || path.includes('\0')) {
    const next = 'Take a path as run/files gives it.';
    throw new LabError('invalid-input', `${JSON.stringify(path)} is no path inside the run's folder`, next);
  }
  const place = join(folder, path);
  let file: FileHandle | null = null;
  try {
    file = await open(place, withoutFollowing);
    const opened = await file.stat();
    // No folder on the way may be a link either: the file that was opened is the one that really lies there.
    const real = join(await realpath(folder), path);
    const isInside = (await realpath(place)) === real;
    const there = await lstat(real);
    if (opened.isFile() && isInside && there.ino === opened.ino && there.dev === opened.dev) return file;
  } catch {
    // Told below, whatever the system's word for it.
  }
  await file?.close();
  throw new LabError('not-found', `the run has no file ${JSON.stringify(path)}`, 'List them with run/files.');
}

async function beginsAsText(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(sniffedBytes), position: 0 });
  const bytes = buffer.subarray(0, bytesRead);
  return !bytes.includes(0) && decode(bytes, bytesRead === sniffedBytes) !== null;
}

/** Null for what is no UTF-8. With `cut` the last character may be there in part. */
function decode(bytes: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

/** Bytes at the end that begin a character and do not end it. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back < longestCharacter && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}

function noneIfGone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
