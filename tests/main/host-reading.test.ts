import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FeedItem, FeedName, FeedTakes, LabClient } from '../../runtime/contract/index.ts';
import type { OperationId } from '../../runtime/core/index.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { StandingHost } from '../support/standing-host.ts';
import { twoSteps } from './plain-command.ts';

const start = { id: null, crashPlan: [] as string[], recovery: 'off' as const };

/** Follows until an item fits, and gives all items so far. */
function followUntil<F extends FeedName>(
  client: LabClient,
  feed: F,
  input: FeedTakes<F>,
  fits: (item: FeedItem<F>) => boolean,
): Promise<FeedItem<F>[]> {
  return new Promise((resolve, reject) => {
    const items: FeedItem<F>[] = [];
    const take = (item: FeedItem<F>): void => {
      items.push(item);
      if (!fits(item)) return;
      stop();
      resolve(items);
    };
    const stop = client.follow(feed, input, take, reject);
  });
}

describe('what a page reads of a host', () => {
  it('shows one operation whole with its failed tries, and the files of its run', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    using relay = new RelayFolder(`
      import { DBOS } from '@dbos-inc/dbos-sdk';
      import { appendFileSync, readFileSync } from 'node:fs';
      async function tries() {
        await DBOS.runStep(
          async () => {
            appendFileSync('tries', 'x');
            const made = readFileSync('tries').length;
            if (made < 4) throw new Error('try ' + made + ' fails');
          },
          { name: 'moody', retriesAllowed: true, maxAttempts: 5, intervalSeconds: 0.001 },
        );
      }
      export const run = DBOS.registerWorkflow(tries);
    `);
    const { id } = await client.call('run/start', { ...start, folder: relay.path, input: 'null' });
    const { run } = await client.call('run/settled', { run: id });
    expect(run.state).toBe('succeeded');
    const detail = await client.call('run/operation', { run: id, operation: '0' as OperationId });
    expect(detail.operation).toMatchObject({ id: '0', name: 'moody', state: 'checkpointed' });
    expect(detail.tries.map(({ attempt, number, error }) => [attempt, number, error.message])).toEqual([
      [1, 1, 'try 1 fails'],
      [1, 2, 'try 2 fails'],
      [1, 3, 'try 3 fails'],
    ]);
    const none = client.call('run/operation', { run: id, operation: '9' as OperationId });
    await expect(none).rejects.toMatchObject({ code: 'not-found' });
    const files = await client.call('run/files', { run: id });
    expect(files.map(({ path }) => path)).toEqual(
      [
        'attempts/1/exit.json',
        'attempts/1/stderr',
        'attempts/1/stdout',
        'relay_result.json',
        'relay_trace.json',
      ].concat('work/tries'),
    );
    const read = { run: id, path: 'work/tries', offset: 0, limit: 100 };
    expect(await client.call('run/file', read)).toMatchObject({ content: 'xxxx', next: null });
  });

  it('shows what the services saw of a run that was crashed while one of them worked, and the receipts of its calls', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    const relays = await client.call('relay/list', {});
    const order = relays.find(({ name }) => name === 'order-fulfilment');
    if (order?.exampleInput == null) throw new Error('no order relay');
    const input = { ...start, folder: order.folder, input: order.exampleInput, crashPlan: ['create-order@during'] };
    const { id } = await client.call('run/start', input);
    const { run: crashed } = await client.call('run/settled', { run: id });
    expect(crashed.state).toBe('interrupted');
    await client.call('run/recover', { run: id, revision: crashed.revision, crashPlan: [], recovery: null });
    expect((await client.call('run/settled', { run: id })).run.state).toBe('succeeded');
    const records = await client.call('run/service-records', { run: id });
    expect(records.map(({ service, operation, outcome, effect }) => [service, operation, outcome, effect])).toEqual([
      ['inventory', null, 'reserved', true],
      ['order-service', '2', 'created', true],
      ['order-service', '2', 'repeated', false],
    ]);
    expect(records[1]?.reference).toBe(records[2]?.reference);
    const reserve = await client.call('run/operation', { run: id, operation: '1' as OperationId });
    expect(reserve.receipts.map(({ kind, ok, operation }) => [kind, ok, operation])).toContainEqual(['mcp', true, '1']);
    expect(await client.call('relay/operations', { relay: 'order-fulfilment' })).toMatchObject([
      { name: 'extract', kind: 'agent', occurrence: 1 },
      { name: 'reserve' },
      { name: 'create-order' },
      { name: 'confirm' },
    ]);
    const [status] = await followUntil(client, 'lab/status', {}, () => true);
    expect(status?.services).toMatchObject([
      {
        name: 'order-service',
        kind: 'http',
        requests: 2,
        effects: 1,
        baseUrl: expect.stringMatching(/^http/) as string,
      },
      { name: 'audit-log', kind: 'http', pid: null, requests: 0, effects: 0 },
      { name: 'inventory', kind: 'mcp', pid: null, baseUrl: null, requests: 1, effects: 1 },
    ]);
    expect(status?.services[0]?.pid).toBeGreaterThan(0);
  });

  it('pushes status, runs and permissions now and on each change', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    using relay = new RelayFolder(twoSteps, { name: 'pushed' });
    const changedRuns = followUntil(client, 'lab/runs', {}, (rows) =>
      rows.some(({ id, state }) => id === 'seen' && state === 'succeeded'),
    );
    const grants = followUntil(client, 'lab/permissions', {}, (all) =>
      all.some(({ resource, granted }) => resource === 'relay:pushed' && !granted),
    );
    const statuses = followUntil(client, 'lab/status', {}, ({ runs, operationsPerSecond }) => {
      return runs.succeeded === 1 && operationsPerSecond > 0;
    });
    await client.call('run/start', { ...start, id: 'seen', folder: relay.path, input: '1' });
    await client.call('run/settled', { run: 'seen' });
    await client.call('permission/set', { resource: 'relay:pushed', granted: false, by: 'me' });
    expect((await grants)[0]).toMatchObject([{ resource: 'relay:keeps-the-host', granted: true }]);
    const states = (await changedRuns).flat().filter(({ id }) => id === 'seen');
    expect(new Set(states.map(({ revision }) => revision)).size).toBe(states.length);
    const [before, after] = [(await statuses)[0], (await statuses).at(-1)];
    expect(before?.runs).toMatchObject({ running: 1, succeeded: 0, failed: 0 });
    expect(after?.runs).toMatchObject({ running: 1, succeeded: 1 });
    expect(after?.lastEvent).toMatchObject({ run: 'seen' });
    const bytes = statSync(join(host.dataDir, 'ledger.sqlite')).size;
    expect(after?.ledgerBytes).toBeGreaterThanOrEqual(bytes);
    // Nothing happens any more, and yet the rate falls to nothing before the reader's eyes.
    await followUntil(client, 'lab/status', {}, ({ operationsPerSecond }) => operationsPerSecond === 0);
  });

  it('says what the host is, and keeps settings', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    expect(await client.call('lab/info', {})).toMatchObject({
      host: 'command',
      ephemeral: false,
      dataFolder: host.dataDir,
      engine: 'sqlite',
      journalMode: 'wal',
      synchronous: 'FULL',
      node: process.versions.node,
      person: userInfo().username,
    });
    expect(await client.call('settings/get', {})).toEqual({ recovery: 'off' });
    expect(await client.call('settings/set', { recovery: 'immediate' })).toEqual({ recovery: 'immediate' });
    expect(await client.call('settings/get', {})).toEqual({ recovery: 'immediate' });
  });
});
