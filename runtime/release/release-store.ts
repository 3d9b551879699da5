import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../contract/index.ts';
import { LabError } from '../core/index.ts';
import { draftChanges } from './draft-changes.ts';
import { bundleEntry } from './entry-bundle.ts';
import { manifestName, noManifest, readManifest } from './manifest-file.ts';
import { publishFailed } from './release-error.ts';
import { bundlePath, listingName, listingOf, sourcesFolder } from './release-listing.ts';
import { frozenReleases, type FrozenReleases } from './frozen-releases.ts';
import { readSourceFiles } from './source-files.ts';
import { checkRelease, readListing, readManifestOf } from './verified-release.ts';

/** A release that stands frozen on disk. */
export interface Release {
  /** `sha256:…` */
  readonly hash: string;
  readonly manifest: Manifest;
  /** Its folder: `release.json`, `sources/…`, `bundle/entry.mjs` with its map. */
  readonly folder: string;
  /** The compiled entry. */
  readonly bundle: string;
}

export interface Releases extends FrozenReleases {
  /**
   * Freezes a relay folder's present content. The same content gives the same hash wherever the folder lies. Nothing of
   * the relay is executed. Throws `publish-failed` or `not-supported`.
   */
  publish(relayFolder: string): Promise<Release>;
  /** The manifest of a relay folder that could be published, as far as can be told without compiling. Throws as `publish`. */
  manifest(relayFolder: string): Promise<Manifest>;
  /** All that `publish` checks, and nothing is kept. Throws as `publish`. Gives the folder's real path. */
  check(relayFolder: string): Promise<{ readonly folder: string; readonly manifest: Manifest }>;
  /** The release with every file's checksum computed now. Throws `binding-changed` naming each file that differs. */
  verify(hash: string): Promise<Release>;
  /** The release with only its listing checked: for reading, never for running. Throws as `verify`. */
  read(hash: string): Promise<Release>;
  /** The files in which a relay folder differs from the release that was made of it, as `PATH (changed)`; else empty. */
  draftChanges(folder: string, release: Pick<Release, 'folder' | 'hash'>): Promise<string[]>;
}

/** Opens the folder of releases, `<data>/releases`; it is made when it is not there. */
export function openReleases({ folder }: { readonly folder: string }): Releases {
  const folderOf = (hash: string): string => {
    const hex = /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1];
    if (hex === undefined) {
      throw new LabError('invalid-input', `${JSON.stringify(hash)} is no release: expected sha256: and 64 hex digits`);
    }
    return join(folder, hex);
  };

  const verify = async (hash: string): Promise<Release> => {
    const place = folderOf(hash);
    return asRelease(hash, place, await checkRelease(place, hash));
  };

  return {
    async publish(relayFolder) {
      const { real, sources, manifest } = await readDraft(relayFolder);
      const { code, map, packages } = await bundleEntry(real, manifest.entry, sources);
      const files = new Map<string, Uint8Array>([
        ...[...sources].map(([path, bytes]): [string, Uint8Array] => [`${sourcesFolder}/${path}`, bytes]),
        [bundlePath, code],
        [`${bundlePath}.map`, map],
      ]);
      const { hash, text } = listingOf(files, packages);
      await store(folder, folderOf(hash), files.set(listingName, Buffer.from(text)));
      return verify(hash);
    },
    manifest: async (relayFolder) => (await readDraft(relayFolder)).manifest,
    async check(relayFolder) {
      const { real, sources, manifest } = await readDraft(relayFolder);
      await bundleEntry(real, manifest.entry, sources);
      return { folder: real, manifest };
    },
    verify,
    ...frozenReleases(folder, folderOf),
    async read(hash) {
      const place = folderOf(hash);
      await readListing(place, hash);
      return asRelease(hash, place, await readManifestOf(place));
    },
    draftChanges,
  };
}

function asRelease(hash: string, folder: string, manifest: Manifest): Release {
  return { hash, manifest, folder, bundle: join(folder, bundlePath) };
}

interface Draft {
  readonly real: string;
  readonly sources: Map<string, Buffer>;
  readonly manifest: Manifest;
}

async function readDraft(relayFolder: string): Promise<Draft> {
  const real = await realFolder(relayFolder);
  // Looked for before the folder is walked: somebody's whole home folder was not meant.
  await stat(join(real, manifestName)).catch(() => Promise.reject(noManifest(relayFolder)));
  const sources = await readSourceFiles(real);
  return { real, sources, manifest: await readManifest(relayFolder, sources) };
}

async function realFolder(relayFolder: string): Promise<string> {
  try {
    const real = await realpath(relayFolder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw publishFailed(`the relay folder ${relayFolder} ${why}`, 'Check the path.');
  }
  throw publishFailed(`${relayFolder} is a file; expected a folder that holds a ${manifestName}`, 'Give its folder.');
}

/** Puts the files under their final name in one step, so that a release is whole or not there. */
async function store(releases: string, place: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(releases, { recursive: true, mode: 0o700 });
  if (await exists(place)) return;
  await removeAbandoned(releases);
  const draft = await mkdtemp(join(releases, unfinished));
  try {
    for (const [path, bytes] of files) await writeFrozen(join(draft, path), bytes);
    await rename(draft, place);
    await syncFolder(releases);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another host has published the same content meanwhile; what it wrote is verified like any release.
    if (!(await exists(place))) throw error;
  }
}

const unfinished = '.publishing-';
const abandonedAfterMs = 60 * 60 * 1000;

/** A host that died while publishing leaves its unfinished folder behind; none takes an hour. */
async function removeAbandoned(releases: string): Promise<void> {
  for (const name of await readdir(releases)) {
    if (!name.startsWith(unfinished)) continue;
    const place = join(releases, name);
    const age = await stat(place).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > abandonedAfterMs) await rm(place, { recursive: true, force: true });
  }
}

async function writeFrozen(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o400);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
