import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDataFolder, makeDataFolder } from '../../main/data-folder.ts';
import { relayHandlers } from '../../main/relay-handlers.ts';
import { relaySource } from '../../main/built-program.ts';
import { checkInput, openReleases } from '../../runtime/release/index.ts';
import { openTestLedger } from '../support/ledger-file.ts';
import { createRun } from '../support/ledger-writes.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { twoSteps } from './plain-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function openRelays() {
  const folder = findDataFolder(temporaryFolder());
  makeDataFolder(folder);
  const ledger = await openTestLedger();
  const releases = openReleases({ folder: folder.releases });
  const calls = relayHandlers({ folder, releases, ledger });
  const opened = async () => (await calls['relay/list']({})).filter(({ origin }) => origin === 'opened');
  return { folder, ledger, releases, calls, opened };
}

describe('relays', () => {
  it('of the scenarios are listed, each once, ready to run with an input that its schema takes', async () => {
    const { calls, folder } = await openRelays();
    const rows = await calls['relay/list']({});
    // Never in the package, whose place and content do not last.
    for (const row of rows) expect(row.folder.startsWith(folder.root), row.folder).toBe(true);
    expect(await calls['relay/list']({})).toEqual(rows);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.map(({ name }) => name)).toContain('order-fulfilment');
    for (const { manifest, inputSchema, exampleInput, problem, origin } of rows) {
      expect([origin, problem]).toEqual(['scenario', null]);
      if (manifest === null || exampleInput === null) throw new Error('expected a manifest and an example');
      await checkInput(manifest, exampleInput);
      expect(inputSchema).toEqual(manifest.input_schema === true ? null : manifest.input_schema);
    }
  });

  it('that were opened stay in the list, the last one first, each once whatever path it was opened by', async () => {
    const { folder, calls, opened, releases, ledger } = await openRelays();
    using first = new RelayFolder(twoSteps, { name: 'first' });
    using second = new RelayFolder(twoSteps, { name: 'second' });
    const link = join(temporaryFolder(), 'link');
    symlinkSync(first.path, link);
    expect(await calls['relay/open']({ folder: first.path })).toMatchObject({ name: 'first', origin: 'opened' });
    await calls['relay/open']({ folder: second.path });
    await calls['relay/open']({ folder: `${link}/` });
    expect((await opened()).map(({ name }) => name)).toEqual(['first', 'second']);
    // Nothing is published by looking.
    expect(readdirSync(folder.releases)).toEqual([]);
    const again = relayHandlers({ folder, releases, ledger });
    expect((await again['relay/list']({})).filter(({ origin }) => origin === 'opened')).toEqual(await opened());
    await calls['relay/forget']({ folder: link });
    expect((await opened()).map(({ name }) => name)).toEqual(['second']);
  });

  it('that are no relay, or do not compile, are refused and not remembered', async () => {
    const { calls, opened } = await openRelays();
    using broken = new RelayFolder('export const run = (');
    using silent = new RelayFolder('export const walk = 1;');
    for (const folder of [broken.path, silent.path, temporaryFolder(), '/nowhere/at/all']) {
      await expect(calls['relay/open']({ folder }), folder).rejects.toMatchObject({ code: 'publish-failed' });
    }
    await expect(calls['relay/open']({ folder: 'relative' })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await opened()).toEqual([]);
  });

  it('whose folder went or broke since say what is wrong, and can be forgotten', async () => {
    const { calls, opened } = await openRelays();
    using gone = new RelayFolder(twoSteps);
    using broken = new RelayFolder(twoSteps);
    await calls['relay/open']({ folder: gone.path });
    await calls['relay/open']({ folder: broken.path });
    renameSync(gone.path, `${gone.path}-moved`);
    broken.write('relay.json', '{');
    const rows = await opened();
    renameSync(`${gone.path}-moved`, gone.path);
    expect(rows.map(({ manifest, problem }) => [manifest, problem?.code])).toEqual([
      [null, 'publish-failed'],
      [null, 'publish-failed'],
    ]);
    expect(rows[1]?.problem?.message).toContain('does not exist');
    expect(rows[0]?.problem?.message).toContain('relay.json');
    for (const { folder } of rows) await calls['relay/forget']({ folder });
    expect(await opened()).toEqual([]);
  });

  it('that ran before offer the input of their last run', async () => {
    const { calls, ledger } = await openRelays();
    using relay = new RelayFolder(twoSteps, { name: 'ran' });
    expect(await calls['relay/open']({ folder: relay.path })).toMatchObject({ exampleInput: null });
    await ledger.commit([createRun('r', { relay: 'ran', input: '{"from":"last time"}' })]);
    expect(await calls['relay/open']({ folder: relay.path })).toMatchObject({ exampleInput: '{"from":"last time"}' });
  });

  it('of the scenarios that are opened by hand are not listed a second time', async () => {
    const { calls, opened } = await openRelays();
    const row = await calls['relay/open']({ folder: relaySource('poison') });
    expect(row).toMatchObject({ name: 'poison', origin: 'scenario' });
    expect(await calls['relay/open']({ folder: row.folder })).toEqual(row);
    expect(await opened()).toEqual([]);
  });
});

describe('releases', () => {
  it('are listed with their sources, the newest first, and a source is given as it was frozen', async () => {
    const { releases, folder } = await openRelays();
    using relay = new RelayFolder(twoSteps, { name: 'frozen' });
    expect(await releases.list()).toEqual([]);
    const { hash } = await releases.publish(relay.path);
    relay.write('relay.ts', 'export const run = 1;');
    const [row] = await releases.list();
    expect(row).toMatchObject({ hash, name: 'frozen' });
    expect(row?.files.map(({ path }) => path)).toEqual(['relay.json', 'relay.ts']);
    expect(row?.files[1]?.bytes).toBe(Buffer.byteLength(twoSteps));
    expect(await releases.source(hash, 'relay.ts')).toBe(twoSteps);
    for (const path of ['../release.json', 'bundle/entry.mjs', '/etc/passwd', 'none.ts']) {
      await expect(releases.source(hash, path), path).rejects.toMatchObject({ code: 'not-found' });
    }
    await expect(releases.source('sha256:../x', 'relay.ts')).rejects.toMatchObject({ code: 'invalid-input' });
    const place = join(folder.releases, hash.slice('sha256:'.length), 'sources/relay.ts');
    renameSync(place, `${place}.old`);
    writeFileSync(place, 'export const run = 2;');
    await expect(releases.source(hash, 'relay.ts')).rejects.toMatchObject({ code: 'binding-changed' });
  });
});
