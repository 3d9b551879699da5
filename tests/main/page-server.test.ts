import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { clientFrameBytes } from '../../runtime/contract/index.ts';
import { LabPage } from '../support/lab-page.ts';

let page: LabPage;
let cookie: string;

beforeAll(async () => {
  page = await LabPage.start(['--ephemeral']);
  cookie = await page.cookie();
});
afterAll(async () => {
  await page.end('SIGTERM');
});

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** A request as it stands here: `fetch` would correct path, Host and Origin. */
async function ask(path: string, { method = 'GET', headers = { Cookie: cookie } }: Asked = {}) {
  const sent = request({ host: '127.0.0.1', port: port(), path, method, headers, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** What comes back for bytes that are no proper request, until the host closes the connection. */
async function send(bytes: string): Promise<string> {
  const socket = connect(port(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
}

const port = (): number => Number(new URL(page.origin).port);

describe('the way in', () => {
  it('changes the right token for a cookie of this port, out of reach of scripts and other sites', async () => {
    const { status, headers } = await ask(`/?token=${page.token}`, { headers: {} });
    expect({ status, to: headers.location }).toEqual({ status: 303, to: '/' });
    expect(headers['set-cookie']).toEqual([`recovery-lab-${port()}=${page.token}; Path=/; HttpOnly; SameSite=Strict`]);
    expect(Buffer.from(page.token, 'base64url')).toHaveLength(32);
  });

  it.each([
    ['no token', () => '/', ''],
    ['a wrong token', () => `/?token=${page.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`, ''],
    ['a token that is cut short', () => `/?token=${page.token.slice(0, -1)}`, ''],
    ['the token at another path', () => `/index.html?token=${page.token}`, ''],
    ['a wrong token beside the right cookie', () => '/?token=x', 'right'],
    ['the cookie of another port', () => '/', 'other'],
  ])('is closed to %s', async (_case, path, which) => {
    const cookies: Record<string, string> = { right: cookie, other: `recovery-lab-1=${page.token}` };
    const { status, headers, body } = await ask(path(), {
      headers: which === '' ? {} : { Cookie: cookies[which] ?? '' },
    });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 401, type: 'text/plain; charset=utf-8' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).toContain('Open the whole address');
    expect(body).not.toContain(page.token);
  });

  it('gives assets to who has the cookie alone', async () => {
    const { body } = await ask('/', { headers: { Cookie: `theme=dark; ${cookie}` } });
    const [, asset = ''] = /src="\.(\/assets\/[^"]+\.js)"/.exec(body) ?? [];
    expect(await ask(asset)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    });
    expect(await ask(asset, { headers: {} })).toMatchObject({ status: 401 });
  });

  it('is never written down but in the line that prints the address', async () => {
    await using other = await LabPage.start(['--ephemeral']);
    await ask('/?token=x');
    await fetch(other.said.url);
    const { stderr } = await other.end('SIGTERM');
    expect(stderr).not.toContain(other.token);
  });
});

describe('requests of strangers', () => {
  it.each([
    ['a foreign Host', () => ({ Host: 'lab.example' })],
    ['a foreign Host with the port', () => ({ Host: `lab.example:${port()}` })],
    ['a Host without the port', () => ({ Host: '127.0.0.1' })],
    ['a foreign Origin', () => ({ Origin: 'http://lab.example' })],
    ['the Origin of another port', () => ({ Origin: 'http://127.0.0.1:1' })],
    ['an opaque Origin', () => ({ Origin: 'null' })],
    ['the Origin of the other name', () => ({ Origin: `http://localhost:${port()}` })],
  ])('are refused for %s, token or not', async (_case, headers) => {
    for (const path of ['/', `/?token=${page.token}`]) {
      const answer = await ask(path, { headers: { Cookie: cookie, ...headers() } });
      expect(answer.status).toBe(403);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('are refused without a Host', async () => {
    expect(await send(`GET / HTTP/1.1\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  });

  it('may come by the name localhost', async () => {
    const answer = await ask('/', { headers: { Cookie: cookie, Host: `localhost:${port()}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toContain(`connect-src 'self' ws://localhost:${port()};`);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('are refused for the method %s', async (method) => {
    expect(await ask('/', { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it.each([
    '/../../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../../main/recovery-lab.js',
    '/%2e%2e/main/recovery-lab.js',
    '/\\..\\main\\recovery-lab.js',
    '//etc/passwd',
    '/assets/%00',
    'http://127.0.0.1/etc/passwd',
    'file:///etc/passwd',
  ])('find nothing outside the page: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  });

  it('get nothing but headers from HEAD', async () => {
    const { status, headers, body } = await ask('/', { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('every answer', () => {
  const policy = (): string =>
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    `font-src 'self' data:; connect-src 'self' ws://127.0.0.1:${port()}; worker-src 'self' blob:; ` +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  it.each([
    ['the page', () => ask('/')],
    ['the way in', () => ask(`/?token=${page.token}`, { headers: {} })],
    ['401', () => ask('/', { headers: {} })],
    ['403', () => ask('/', { headers: { Host: 'lab.example' } })],
    ['404', () => ask('/nothing')],
    ['405', () => ask('/', { method: 'POST' })],
    ['426', () => ask('/api')],
  ])('carries the security headers: %s', async (_case, answer) => {
    expect((await answer()).headers).toMatchObject({
      'content-security-policy': policy(),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()') as string,
    });
  });

  it.each([
    ['what is no HTTP', 400, () => send('hello\r\n\r\n')],
    ['headers that are too long', 431, () => send(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['headers that never end', 408, () => send('GET / HTTP/1.1\r\nHost: x\r\nX: ')],
    ['a connection on which nothing is sent', 408, () => send('')],
    [
      'a handshake without a key',
      400,
      () =>
        send(
          `GET /api HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nOrigin: ${page.origin}\r\nCookie: ${cookie}\r\n` +
            'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        ),
    ],
    [
      'an upgrade to something else',
      401,
      () => send(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`),
    ],
  ])('does so for %s, and the connection is closed', async (_case, status, answer) => {
    const raw = await answer();
    expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(raw).toContain(`Content-Security-Policy: ${policy()}\r\n`);
  });
});

describe('the WebSocket', () => {
  async function refusal(headers: Record<string, string>): Promise<number> {
    const socket = await page.socket(headers);
    onTestFinished(() => socket.terminate());
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    return answer.statusCode ?? 0;
  }

  it('is refused without a cookie, with a foreign Host or Origin, and without an Origin', async () => {
    expect(await refusal({ Cookie: '' })).toBe(401);
    expect(await refusal({ Origin: 'http://lab.example' })).toBe(403);
    expect(await refusal({ Origin: `http://localhost:${port()}` })).toBe(403);
    expect(await refusal({ Host: `lab.example:${port()}`, Origin: `http://lab.example:${port()}` })).toBe(403);
    const socket = new WebSocket(`ws://127.0.0.1:${port()}/api`, { headers: { Cookie: cookie } });
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(403);
  });

  it('carries calls, their errors, and feeds', async () => {
    const client = await page.client();
    onTestFinished(() => client.close());
    expect(await client.call('lab/info', {})).toMatchObject({ host: 'page', ephemeral: true, pid: page.said.pid });
    await expect(client.call('run/show', { run: 'nothing' })).rejects.toMatchObject({ code: 'not-found' });
    const { runId } = await client.call('scenario/run', { name: 'complete' });
    const numbers: number[] = [];
    const finished = Promise.withResolvers<void>();
    client.follow('run/events', { run: runId ?? '', after: 0 }, (events) => {
      numbers.push(...events.map(({ sequence }) => sequence));
      if (events.some(({ data }) => JSON.stringify(data).includes('"to":"succeeded"'))) finished.resolve();
    });
    await finished.promise;
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  });

  it.each([
    ['a frame over the bound', 1009, 'x'.repeat(clientFrameBytes.toHost + 1)],
    ['what is no JSON', 1008, '{'],
    ['a binary frame', 1003, Buffer.from('{}')],
    ['a frame of another protocol', 1005, '{"t":"q","m":"format-disk","a":[]}'],
  ])('is closed for %s', async (_case, code, frame) => {
    const socket = await page.socket();
    await once(socket, 'open');
    socket.send(frame);
    const [closed] = (await once(socket, 'close')) as [number];
    expect(closed).toBe(code);
    // The host lives on.
    expect((await ask('/')).status).toBe(200);
  });

  it('says goodbye when the host ends', async () => {
    await using other = await LabPage.start(['--ephemeral']);
    const socket = await other.socket();
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    await other.end('SIGTERM');
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1001, 'the host has ended']);
  });
});

describe('the built page', () => {
  it('is served whole', async () => {
    const folder = fileURLToPath(new URL('../../out/renderer/assets', import.meta.url));
    for (const name of readdirSync(folder).filter((one) => !one.endsWith('.map'))) {
      expect([name, (await ask(`/assets/${name}`)).status]).toEqual([name, 200]);
    }
  });
});
