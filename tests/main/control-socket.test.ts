import { rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectControl, placeSocket, serveControl } from '../../main/control-socket.ts';
import { findDataFolder } from '../../main/data-folder.ts';
import type { ClientService, Handlers, LabEvent } from '../../runtime/contract/index.ts';
import { LabError, type Json } from '../../runtime/core/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const permission = { caller: 'local', resource: 'relay:a', granted: true, changedAt: 1, changedBy: 'me' };

function eventNumber(sequence: number, data: Json = null): LabEvent {
  return { run: 'r', sequence, at: sequence, type: 'note', attempt: null, operation: null, data };
}

async function served(service: Partial<ClientService> & { handlers: Partial<Handlers> }) {
  const path = join(temporaryFolder(), 'host.sock');
  const server = await serveControl(path, { feeds: {}, ...service });
  onTestFinished(() => server.close());
  const client = async () => {
    const connected = await connectControl(path, 5000);
    onTestFinished(() => connected.close());
    return connected;
  };
  return { path, server, client };
}

describe('control socket', () => {
  it('answers calls of several clients, each with its own answer', async () => {
    const { client } = await served({
      handlers: { 'permission/set': (input) => Promise.resolve({ ...permission, resource: input.resource }) },
    });
    const clients = await Promise.all([client(), client()]);
    const answers = await Promise.all(
      clients.flatMap((one, index) =>
        ['relay:x', 'mcp:y'].map((name) =>
          one.call('permission/set', { resource: `${name}${index}`, granted: true, by: 'me' }),
        ),
      ),
    );
    expect(answers.map(({ resource }) => resource)).toEqual(['relay:x0', 'mcp:y0', 'relay:x1', 'mcp:y1']);
  });

  it('hands an error over with its code, next step and facts', async () => {
    const refusal = new LabError('conflict', 'it moved on', 'look again', { expected: 1, found: 2 });
    const { client } = await served({ handlers: { 'run/kill': () => Promise.reject(refusal) } });
    const failed = (await client()).call('run/kill', { run: 'r', revision: 1 });
    await expect(failed).rejects.toMatchObject({ ...refusal.toData() });
  });

  it('refuses what the contract does not take, naming the key', async () => {
    const { client } = await served({ handlers: { 'permission/set': () => Promise.resolve(permission) } });
    const failed = (await client()).call('permission/set', { resource: 'disk:c', granted: true, by: 'me' });
    await expect(failed).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('"resource"') as string,
    });
  });

  it('refuses an answer that the contract does not give', async () => {
    const { client } = await served({
      handlers: { 'permission/list': () => Promise.resolve([{ ...permission, granted: 'yes' }] as never) },
    });
    await expect((await client()).call('permission/list', {})).rejects.toMatchObject({ code: 'internal' });
  });

  it('refuses a call that it has no handler for', async () => {
    const { client } = await served({ handlers: {} });
    await expect((await client()).call('doctor', {})).rejects.toMatchObject({ code: 'not-supported' });
  });

  it('streams events from a number on until the client stops', async () => {
    const stopped = Promise.withResolvers<void>();
    const { client } = await served({
      handlers: {},
      feeds: {
        'run/events'({ after }, { give }) {
          for (let sequence = after + 1; sequence <= after + 3; sequence += 1) void give([eventNumber(sequence)]);
          return stopped.resolve;
        },
      },
    });
    const seen: number[] = [];
    const enough = Promise.withResolvers<void>();
    const stop = (await client()).follow('run/events', { run: 'r', after: 7 }, (events) => {
      seen.push(...events.map(({ sequence }) => sequence));
      if (seen.length === 3) enough.resolve();
    });
    await enough.promise;
    stop();
    await stopped.promise;
    expect(seen).toEqual([8, 9, 10]);
  });

  it('makes the source of events wait for a client that does not read', async () => {
    const blocked = Promise.withResolvers<void>();
    const { path } = await served({
      handlers: {},
      feeds: {
        'run/events'(_input, { give }) {
          void (async () => {
            const data = 'x'.repeat(100_000);
            for (let sequence = 1; sequence <= 1000; sequence += 1) {
              const taken = give([eventNumber(sequence, data)]);
              const isFull = await Promise.race([taken, new Promise((resolve) => setImmediate(resolve, 'full'))]);
              if (isFull === 'full') return blocked.resolve();
            }
            blocked.reject(new Error('100 MB were taken for a client that reads nothing'));
          })();
          return () => undefined;
        },
      },
    });
    const socket = connect(path).pause();
    onTestFinished(() => void socket.destroy());
    socket.write('{"t":"q","m":"follow","a":["1","run/events",{"run":"r","after":0}]}\n');
    await blocked.promise;
  });

  it('stops following and drops the connection when a client sends what is no frame', async () => {
    const stopped = Promise.withResolvers<void>();
    const { path } = await served({ handlers: {}, feeds: { 'run/events': () => stopped.resolve } });
    const socket = connect(path).resume();
    socket.write(
      '{"t":"q","m":"follow","a":["1","run/events",{"run":"r","after":0}]}\n{"t":"q","m":"format-disk","a":[]}\n',
    );
    await once(socket, 'close');
    await stopped.promise;
  });

  it('drops a client whose line never ends', async () => {
    const { path } = await served({ handlers: {} });
    const socket = connect(path).resume();
    const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
    socket.write(`"${'x'.repeat(3 * 1024 * 1024)}`);
    await closed;
  });

  it('fails open calls at once when the host is gone', async () => {
    const asked = Promise.withResolvers<void>();
    const { server, client } = await served({
      handlers: {
        'run/settled': () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
    });
    const call = (await client()).call('run/settled', { run: 'r' });
    const failed = expect(call).rejects.toMatchObject({ code: 'process-gone' });
    await asked.promise;
    server.close();
    await failed;
  });

  it('does not wait for a listener that never speaks', async () => {
    const path = join(temporaryFolder(), 'host.sock');
    const silent = createServer().listen(path);
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    await expect(connectControl(path, 50)).rejects.toMatchObject({ code: 'process-gone' });
  });

  it('refuses a host that speaks another protocol', async () => {
    const path = join(temporaryFolder(), 'host.sock');
    const other = createServer((socket) =>
      socket.on('data', (asked) => {
        const { i } = JSON.parse(asked.toString()) as { i: string };
        socket.write(`${JSON.stringify({ t: 's', i, r: 99 })}\n`);
      }),
    ).listen(path);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    await expect(connectControl(path, 5000)).rejects.toMatchObject({ code: 'locked' });
  });

  it('says when the last client is gone', async () => {
    const { server, client } = await served({ handlers: {} });
    const [first, second] = await Promise.all([client(), client()]);
    expect(server.connections).toBe(2);
    const idle = new Promise<void>((resolve) => server.onIdle(resolve));
    await first.close();
    await second.close();
    await idle;
    expect(server.connections).toBe(0);
  });

  it('is open to its owner alone', async () => {
    const { path } = await served({ handlers: {} });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('stands in a private folder when the path in the data folder is too long for a socket', () => {
    const root = temporaryFolder();
    expect(placeSocket(findDataFolder(root))).toBe(join(root, 'host.sock'));
    const long = placeSocket(findDataFolder(join(root, 'd'.repeat(120))));
    onTestFinished(() => rmSync(join(long, '..'), { recursive: true }));
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(100);
    expect(statSync(join(long, '..')).mode & 0o777).toBe(0o700);
  });
});
