import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReleases, type Release, type Releases } from '../../../runtime/release/index.ts';
import { refusalOf } from '../../support/refusal.ts';
import { RelayFolder } from '../../support/relay-folder.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

const entry = `import { x } from 'dep';\nimport { y } from './lib/y.ts';\nexport const run = () => [x, y];`;

async function published(data: TemporaryFolder, relay: RelayFolder): Promise<{ releases: Releases; release: Release }> {
  relay.write('lib/y.ts', 'export const y = 2;');
  relay.write('node_modules/dep/index.js', 'export const x = 1;');
  const releases = openReleases({ folder: data.path });
  return { releases, release: await releases.publish(relay.path) };
}

function overwrite(file: string, content: string): void {
  chmodSync(file, 0o600);
  writeFileSync(file, content);
}

describe('verify', () => {
  it('gives the release back as it was published', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    expect(await releases.verify(release.hash)).toEqual(release);
    expect(await releases.read(release.hash)).toEqual(release);
  });

  it('names every file that differs, is missing or is extra', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    overwrite(join(release.folder, 'bundle/entry.mjs'), 'export const run = () => "mine";');
    rmSync(join(release.folder, 'sources/lib/y.ts'));
    writeFileSync(join(release.folder, 'sources/more.ts'), '');
    const error = await refusalOf(releases.verify(release.hash));
    expect(error.code).toBe('binding-changed');
    expect(error.facts['binding']).toBe('release');
    expect(error.facts['files']).toEqual([
      'bundle/entry.mjs (changed)',
      'sources/lib/y.ts (missing)',
      'sources/more.ts (extra)',
    ]);
    expect(error.message).toContain('bundle/entry.mjs (changed), sources/lib/y.ts (missing), sources/more.ts (extra)');
  });

  it('sees one changed byte that keeps size and times', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    const file = join(release.folder, 'sources/lib/y.ts');
    const before = readFileSync(file, 'utf8');
    overwrite(file, before.replace('2', '3'));
    expect((await refusalOf(releases.verify(release.hash))).facts['files']).toEqual(['sources/lib/y.ts (changed)']);
    overwrite(file, before);
    expect((await releases.verify(release.hash)).hash).toBe(release.hash);
  });

  it('takes a link in the place of a file for a change', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    const file = join(release.folder, 'bundle/entry.mjs');
    copyFileSync(file, join(relay.path, 'same-bytes.mjs'));
    rmSync(file);
    symlinkSync(join(relay.path, 'same-bytes.mjs'), file);
    expect((await refusalOf(releases.verify(release.hash))).facts['files']).toEqual(['bundle/entry.mjs (changed)']);
  });

  it('refuses a listing that was changed along with a file', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    const listing = join(release.folder, 'release.json');
    chmodSync(listing, 0o600);
    appendFileSync(listing, ' ');
    const error = await refusalOf(releases.verify(release.hash));
    expect(error.facts['files']).toEqual(['release.json (changed)']);
    expect((await refusalOf(releases.read(release.hash))).code).toBe('binding-changed');
    rmSync(listing);
    expect((await refusalOf(releases.verify(release.hash))).facts['files']).toEqual(['release.json (missing)']);
  });

  it('does not heal a changed release by publishing the same content again', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    overwrite(join(release.folder, 'bundle/entry.mjs'), '');
    expect((await refusalOf(releases.publish(relay.path))).code).toBe('binding-changed');
  });

  it('says when there is no such release, and when the text is none', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    renameSync(release.folder, `${release.folder}-moved`);
    expect((await refusalOf(releases.verify(release.hash))).code).toBe('not-found');
    expect((await refusalOf(releases.verify('sha256:../../etc'))).code).toBe('invalid-input');
  });
});

describe('draftChanges', () => {
  it('is empty for the folder as it was published, and again once its bytes are restored', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    expect(await releases.draftChanges(relay.path, release)).toEqual([]);
    relay.write('lib/y.ts', 'export const y = 3;');
    expect(await releases.draftChanges(relay.path, release)).toEqual(['lib/y.ts (changed)']);
    relay.write('lib/y.ts', 'export const y = 2;');
    expect(await releases.draftChanges(relay.path, release)).toEqual([]);
  });

  it('names what is missing, extra, or changed in node_modules', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    rmSync(join(relay.path, 'lib/y.ts'));
    relay.write('new.ts', '');
    relay.write('.env', 'not part of it');
    relay.write('node_modules/dep/index.js', 'export const x = 9;');
    expect(await releases.draftChanges(relay.path, release)).toEqual([
      'lib/y.ts (missing)',
      'new.ts (extra)',
      'node_modules/dep/index.js (changed)',
    ]);
  });

  it('names every file of a folder that is gone', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(entry);
    const { releases, release } = await published(data, relay);
    rmSync(relay.path, { recursive: true });
    const changes = await releases.draftChanges(relay.path, release);
    expect(changes).toContain('relay.ts (missing)');
    expect(changes).toHaveLength(4);
  });
});
