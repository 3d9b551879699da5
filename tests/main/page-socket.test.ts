import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { watchPeer, webSocketPort } from '../../main/page/web-socket-port.ts';
import { clientFrameBytes } from '../../runtime/contract/index.ts';

describe('a port over a WebSocket', () => {
  /** Two ends of one connection in this process. */
  async function pair(options: { autoPong?: boolean } = {}): Promise<{ near: WebSocket; far: WebSocket }> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    onTestFinished(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const far = new WebSocket(`ws://127.0.0.1:${address.port}`, options);
    onTestFinished(() => far.terminate());
    const [near] = (await once(server, 'connection')) as [WebSocket];
    if (far.readyState !== WebSocket.OPEN) await once(far, 'open');
    return { near, far };
  }

  it('makes a sender wait for a peer that does not read, and lets it go when the peer has read', async () => {
    const { near, far } = await pair();
    far.pause();
    const sender = webSocketPort(near, clientFrameBytes.fromHost);
    const frame = { t: 's', i: '1', r: 'x'.repeat(1_000_000) } as const;
    let waiting: Promise<void> | null = null;
    for (let sent = 0; waiting === null; sent += 1) {
      if (sent === 200) throw new Error('200 MB were taken for a peer that reads nothing');
      const taken = sender.send(frame);
      const first = await Promise.race([taken, new Promise((resolve) => setImmediate(resolve, 'full'))]);
      if (first === 'full') waiting = taken;
    }
    far.resume();
    await waiting;
  });

  it('lets a waiting sender go when the peer vanishes', async () => {
    const { near, far } = await pair();
    far.pause();
    const sender = webSocketPort(near, clientFrameBytes.fromHost);
    const ended = new Promise<string>((resolve) => sender.onEnd(resolve));
    const sent = Array.from({ length: 20 }, () => sender.send({ t: 's', i: '1', r: 'x'.repeat(1_000_000) }));
    far.terminate();
    await Promise.all(sent);
    await ended;
  });

  it('refuses to send a frame over its bound', async () => {
    const { near } = await pair();
    await expect(webSocketPort(near, 100).send({ t: 's', i: '1', r: 'x'.repeat(100) })).rejects.toMatchObject({
      code: 'too-large',
    });
  });

  it('ends when the peer answers no ping, and stays while it does', async () => {
    const silent = await pair({ autoPong: false });
    const lively = await pair();
    watchPeer(silent.near, 20);
    watchPeer(lively.near, 20);
    let pings = 0;
    lively.far.on('ping', () => (pings += 1));
    await once(silent.near, 'close');
    while (pings < 4) await once(lively.far, 'ping');
    expect(lively.near.readyState).toBe(WebSocket.OPEN);
  });
});
