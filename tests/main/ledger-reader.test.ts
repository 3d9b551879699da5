import { describe, expect, it, onTestFinished } from 'vitest';
import { findDataFolder } from '../../main/data-folder.ts';
import { openReader } from '../../main/ledger-reader.ts';
import { localClient } from '../../runtime/contract/index.ts';
import type { OperationId } from '../../runtime/core/index.ts';
import { LabCommand } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { twoSteps } from './plain-command.ts';

describe('a reader of a data folder without a host', () => {
  it('shows operations, files, output and sources of what ran there', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(`console.log('said when it was loaded');${twoSteps}`, { name: 'read-later' });
    expect((await lab.run(['run', 'start', relay.path, '--id', 'r', '--input', '1'])).code).toBe(0);
    const reader = openReader(findDataFolder(lab.dataDir));
    onTestFinished(() => reader.close());
    const client = localClient(reader);
    const detail = await client.call('run/operation', { run: 'r', operation: '1' as OperationId });
    expect(detail).toMatchObject({ operation: { name: 'second' }, tries: [] });
    const said = 'said when it was loaded\n';
    const part = { run: 'r', path: 'attempts/1/stdout', offset: 0, limit: 1000 };
    expect(await client.call('run/file', part)).toMatchObject({ content: said });
    const output = await new Promise<string>((resolve, reject) => {
      const from = { attempt: 1, stdout: 0, stderr: 0 };
      client.follow('run/output', { run: 'r', from }, ({ data }) => resolve(atob(data)), reject);
    });
    expect(output).toBe(said);
    const [release] = await client.call('release/list', {});
    const source = await client.call('release/source', { hash: release?.hash ?? '', path: 'relay.ts' });
    expect(source.text).toContain('said when it was loaded');
    expect(await client.call('relay/operations', { relay: 'read-later' })).toMatchObject([
      { name: 'first' },
      { name: 'second' },
    ]);
    expect(await client.call('run/service-records', { run: 'r' })).toEqual([]);
  });

  it('finds nothing where nothing is, and refuses what needs a host', async () => {
    const client = localClient(openReader(findDataFolder(temporaryFolder())));
    expect(await client.call('release/list', {})).toEqual([]);
    expect(await client.call('relay/operations', { relay: 'any' })).toEqual([]);
    await expect(client.call('run/files', { run: 'r' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(client.call('settings/set', { recovery: 'off' })).rejects.toMatchObject({ code: 'not-supported' });
  });
});
