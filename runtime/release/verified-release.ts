import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../contract/index.ts';
import { LabError } from '../core/index.ts';
import { sha256 } from './digest.ts';
import { frozenManifest, manifestName } from './manifest-file.ts';
import { hashOfListing, listingName, sourcesFolder, type ReleaseListing } from './release-listing.ts';

/**
 * Computes the checksum of everything in a release's folder and compares it with the release's name. Every byte is read
 * each time: sizes and times of files are not trusted, and releases are small. Throws `binding-changed`.
 */
export async function checkRelease(folder: string, hash: string): Promise<Manifest> {
  const listing = await readListing(folder, hash);
  const present = await filesIn(folder);
  const changes: string[] = [];
  const contents = new Map<string, Buffer>();
  await Promise.all(
    listing.files.map(async (file) => {
      const isRegular = present.get(file.path);
      present.delete(file.path);
      if (isRegular !== true) {
        changes.push(`${file.path} (${isRegular === undefined ? 'missing' : 'changed'})`);
        return;
      }
      const bytes = await readFile(join(folder, file.path));
      if (sha256(bytes) !== file.sha256) changes.push(`${file.path} (changed)`);
      contents.set(file.path, bytes);
    }),
  );
  present.delete(listingName);
  for (const path of present.keys()) changes.push(`${path} (extra)`);
  const manifest = contents.get(`${sourcesFolder}/${manifestName}`);
  if (changes.length > 0 || manifest === undefined) throw changed(folder, hash, changes.sort());
  return frozenManifest(manifest);
}

/** The listing whose checksum is the release's name. */
export async function readListing(folder: string, hash: string): Promise<ReleaseListing> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, listingName));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw error;
    if (existsSync(folder)) throw changed(folder, hash, [`${listingName} (missing)`]);
    throw new LabError(
      'not-found',
      `there is no release ${hash}: ${folder} does not exist`,
      'Publish the relay again.',
    );
  }
  if (hashOfListing(bytes) !== hash) throw changed(folder, hash, [`${listingName} (changed)`]);
  return JSON.parse(bytes.toString('utf8')) as ReleaseListing;
}

export async function readManifestOf(folder: string): Promise<Manifest> {
  return frozenManifest(await readFile(join(folder, sourcesFolder, manifestName)));
}

/** Every path in a folder that is no folder, with `/`, and whether it is a regular file (a link is none). */
async function filesIn(folder: string): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  const visit = async (inner: string): Promise<void> => {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else found.set(path, entry.isFile());
    }
  };
  await visit('');
  return found;
}

function changed(folder: string, hash: string, files: string[]): LabError {
  return new LabError(
    'binding-changed',
    `the binding release changed: the frozen files of ${hash} are not what was published: ${files.join(', ')}`,
    `Restore the files in ${folder}, or remove that folder and publish the relay again.`,
    { binding: 'release', release: hash, folder, files },
  );
}
