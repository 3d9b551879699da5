import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from './digest.ts';
import { readListing } from './verified-release.ts';
import { sourcesFolder } from './release-listing.ts';
import { readSourceFiles } from './source-files.ts';

/**
 * The files in which a relay folder differs from the release that was made of it: its sources, and what its bundle took
 * from `node_modules`. Nothing is compiled. A folder that is gone counts as all missing. Throws `publish-failed` for a
 * folder that could not be published any more, naming the file.
 */
export async function draftChanges(
  folder: string,
  release: { readonly folder: string; readonly hash: string },
): Promise<string[]> {
  const listing = await readListing(release.folder, release.hash);
  const present = await readSourceFiles(folder).catch(noneIfGone);
  const changes: string[] = [];
  for (const file of listing.files) {
    if (!file.path.startsWith(`${sourcesFolder}/`)) continue;
    const path = file.path.slice(sourcesFolder.length + 1);
    const bytes = present.get(path);
    present.delete(path);
    if (bytes === undefined) changes.push(`${path} (missing)`);
    else if (sha256(bytes) !== file.sha256) changes.push(`${path} (changed)`);
  }
  for (const path of present.keys()) changes.push(`${path} (extra)`);
  for (const file of listing.packages) {
    const bytes = await readFile(join(folder, file.path)).catch(() => null);
    if (bytes === null) changes.push(`${file.path} (missing)`);
    else if (sha256(bytes) !== file.sha256) changes.push(`${file.path} (changed)`);
  }
  return changes.sort();
}

function noneIfGone(error: NodeJS.ErrnoException): Map<string, Buffer> {
  if (error.code === 'ENOENT') return new Map();
  throw error;
}
