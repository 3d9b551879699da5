import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openResumingClient, type Connection } from '../../renderer/lab/resuming-client.ts';
import { serveClient, type ClientService, type FramePort, type LabEvent } from '../../runtime/contract/index.ts';

function framePort(port: MessagePort): FramePort {
  let reason = 'the port was closed';
  return {
    send(frame) {
      port.postMessage(frame);
      return Promise.resolve();
    },
    onFrame: (listener) => void port.on('message', listener),
    onEnd: (listener) => void port.once('close', () => listener(reason)),
    end() {
      reason = 'this side ended it';
      port.close();
    },
  };
}

const event = (sequence: number): LabEvent => ({
  ...{ run: 'r', sequence, at: sequence, type: 'note', attempt: null, operation: null, data: null },
});

/** A host whose connections can be cut, and which can be away for a while. */
function flakyHost(service: ClientService) {
  const serving: MessagePort[] = [];
  let away = false;
  return {
    open: (): Promise<FramePort> => {
      if (away) return Promise.reject(new Error('nobody answers'));
      const { port1, port2 } = new MessageChannel();
      serving.push(port1);
      serveClient(framePort(port1), service);
      return Promise.resolve(framePort(port2));
    },
    cut: () => serving.splice(0).forEach((port) => port.close()),
    leave: (isAway: boolean) => void (away = isAway),
  };
}

describe('a client that outlives its connection', () => {
  it('goes on after the last event when the connection was cut, without gap or repeat', async () => {
    const lastEvent = 300;
    const host = flakyHost({
      handlers: {},
      feeds: {
        'run/events'({ after }, outlet) {
          const follow = { stopped: false };
          void (async () => {
            for (let next = after + 1; next <= lastEvent && !follow.stopped; next += 2) {
              const page = [event(next), event(next + 1)].filter(({ sequence }) => sequence <= lastEvent);
              await outlet.give(page);
              if (next % 37 === 0) host.cut();
            }
          })().catch(() => undefined);
          return () => void (follow.stopped = true);
        },
      },
    });
    const states: Connection['state'][] = [];
    const client = openResumingClient(host.open, ({ state }) => {
      states.push(state);
      if (state === 'lost') client.retryNow();
    });
    onTestFinished(() => client.close());
    const seen: number[] = [];
    const complete = Promise.withResolvers<void>();
    client.follow('run/events', { run: 'r', after: 0 }, (events) => {
      seen.push(...events.map(({ sequence }) => sequence));
      if (seen.at(-1) === lastEvent) complete.resolve();
    });
    await complete.promise;
    expect(seen).toEqual(Array.from({ length: lastEvent }, (_, index) => index + 1));
    expect(states.filter((state) => state === 'lost').length).toBeGreaterThan(2);
  });

  it('fails calls at once while the host is away, and answers them when it is back', async () => {
    const host = flakyHost({ handlers: { 'permission/list': () => Promise.resolve([]) }, feeds: {} });
    host.leave(true);
    const changes: Connection[] = [];
    const waiting = new Map<Connection['state'], () => void>();
    const reached = (state: Connection['state']): Promise<void> =>
      new Promise((resolve) => (changes.at(-1)?.state === state ? resolve() : waiting.set(state, resolve)));
    const client = openResumingClient(host.open, (connection) => {
      changes.push(connection);
      waiting.get(connection.state)?.();
    });
    onTestFinished(() => client.close());
    await reached('lost');
    expect(changes.at(-1)).toMatchObject({ reason: 'nobody answers' });
    await expect(client.call('permission/list', {})).rejects.toMatchObject({ code: 'process-gone' });
    host.leave(false);
    await reached('open');
    await expect(client.call('permission/list', {})).resolves.toEqual([]);
  });

  it('does not follow again what was let go while it was away', async () => {
    const begun: number[] = [];
    const first = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    const host = flakyHost({
      handlers: {},
      feeds: {
        'run/events'({ after }) {
          begun.push(after);
          if (begun.length === 2) first.resolve();
          if (begun.length === 3) again.resolve();
          return () => undefined;
        },
      },
    });
    const client = openResumingClient(host.open, () => undefined);
    onTestFinished(() => client.close());
    const stop = client.follow('run/events', { run: 'r', after: 1 }, () => undefined);
    client.follow('run/events', { run: 'r', after: 2 }, () => undefined);
    await first.promise;
    stop();
    host.cut();
    await again.promise;
    expect(begun).toEqual([1, 2, 2]);
  });
});
