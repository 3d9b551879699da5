import { canonicalJson } from '../core/index.ts';
import { sha256 } from './digest.ts';

/** `release.json`: everything that a release is made of. Its canonical text's sha256 is the release's name. */
export interface ReleaseListing {
  readonly format: 1;
  /** In code-point order of `path`, relative to the release's folder. */
  readonly files: readonly ListedFile[];
  /** Files of the relay's `node_modules` that are compiled into the bundle, by their path in the relay folder. */
  readonly packages: readonly { readonly path: string; readonly sha256: string }[];
}

interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export const listingName = 'release.json';
export const bundlePath = 'bundle/entry.mjs';
export const sourcesFolder = 'sources';

export function listingOf(
  files: ReadonlyMap<string, Uint8Array>,
  packages: ReadonlyMap<string, string>,
): { readonly text: string; readonly hash: string } {
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  const listing = {
    format: 1,
    files: [...files].map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) })).sort(byPath),
    packages: [...packages].map(([path, digest]) => ({ path, sha256: digest })).sort(byPath),
  } as const;
  const text = canonicalJson(listing);
  return { text, hash: hashOfListing(text) };
}

export function hashOfListing(text: string | Uint8Array): string {
  return `sha256:${sha256(text)}`;
}
