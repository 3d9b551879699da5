import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseRow } from '../contract/index.ts';
import { LabError } from '../core/index.ts';
import { sha256 } from './digest.ts';
import { sourcesFolder } from './release-listing.ts';
import { readListing, readManifestOf } from './verified-release.ts';

/** What there is to be read of the releases on disk. */
export interface FrozenReleases {
  /** Those whose listing is whole, the newest first, each with its sources. */
  list(): Promise<ReleaseRow[]>;
  /**
   * A source by its path in the relay folder, as text, its checksum computed now. Throws `not-found`, `binding-changed`
   * when it is not what was published, and `not-supported` when it is no text.
   */
  source(hash: string, path: string): Promise<string>;
}

export function frozenReleases(folder: string, folderOf: (hash: string) => string): FrozenReleases {
  return {
    async list() {
      const names = await readdir(folder).catch(() => []);
      const rows = await Promise.all(
        names
          .filter((name) => /^[0-9a-f]{64}$/.test(name))
          .map((name) => readRow(join(folder, name), `sha256:${name}`)),
      );
      return rows
        .filter((row) => row !== null)
        .sort((a, b) => b.publishedAt - a.publishedAt)
        .map(({ row }) => row);
    },
    async source(hash, path) {
      const place = folderOf(hash);
      const listed = (await readListing(place, hash)).files.find((file) => file.path === `${sourcesFolder}/${path}`);
      if (listed === undefined) {
        throw new LabError('not-found', `the release ${hash} has no source ${JSON.stringify(path)}`);
      }
      const bytes = await readFile(join(place, listed.path)).catch(() => Buffer.alloc(0));
      if (sha256(bytes) !== listed.sha256) {
        const what = `the binding release changed: ${listed.path} of ${hash} is not what was published`;
        throw new LabError('binding-changed', what, `Restore the file in ${place}.`, { release: hash, files: [path] });
      }
      return decode(bytes, path);
    },
  };
}

/** Null for one that is damaged: what uses it says so, naming each file. */
async function readRow(place: string, hash: string): Promise<{ row: ReleaseRow; publishedAt: number } | null> {
  try {
    const { files } = await readListing(place, hash);
    const { name } = await readManifestOf(place);
    const sources = files.filter(({ path }) => path.startsWith(`${sourcesFolder}/`));
    const row = {
      hash,
      name,
      files: sources.map(({ path, size }) => ({ path: path.slice(sourcesFolder.length + 1), bytes: size })),
    };
    return { row, publishedAt: (await stat(place)).mtimeMs };
  } catch {
    return null;
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LabError('not-supported', `${path} is no UTF-8 text, so it cannot be shown`);
  }
}
