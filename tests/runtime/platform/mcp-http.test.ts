import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEverything } from '../../support/everything-server.ts';
import { refusalOf } from '../../support/refusal.ts';
import { startProgram } from '../../support/started-program.ts';
import { startUnrulyHttp } from '../../support/unruly-http-server.ts';
import { PlatformBench } from './platform-bench.ts';

const call = (tool: string) => ({ server: 'remote', tool });

describe('an MCP server over HTTP that breaks the rules', () => {
  it.each([
    ['unauthorized', 'http', 'answered the tool unauthorized with HTTP 401: who are you?', '{"secret": "NAME"}'],
    ['forbidden', 'http', 'answered the tool forbidden with HTTP 403: not you', '{"secret": "NAME"}'],
    ['missing', 'http', 'answered the tool missing with HTTP 404: no such place', '"url"'],
    ['broken', 'http', 'answered the tool broken with HTTP 500: {"error":"boom"}', 'try later'],
    ['elsewhere', 'http', 'HTTP 307: Redirect to http://127.0.0.2:9/mcp not followed', '"url"'],
    ['page', 'nonsense', 'with what is no MCP: Unexpected content type: text/html', '"url"'],
    ['no-json', 'nonsense', 'answered the tool no-json with what is no JSON', '"url"'],
    ['wrong-id', 'gone', 'answered a request that was never made, with the id 99; it was asked for', 'look'],
    ['cut', 'gone', 'ended its stream without an answer; it was asked for the tool cut', 'look'],
    ['ended', 'gone', 'ended its stream without an answer; it was asked for the tool ended', 'look'],
    ['garbage', 'gone', 'ended its stream without an answer; it was asked for the tool garbage', 'look'],
    ['flood', 'gone', 'sent more than 4194304 bytes in one answer; it was asked for the tool flood', 'look'],
  ])('is named with what came of the tool %s, and can be called again', async (tool, reason, words, next) => {
    await using server = await startUnrulyHttp();
    await using bench = new PlatformBench({ manifest: { mcp: { remote: { url: server.url } } } });
    const error = await refusalOf(bench.call('mcp', call(tool)));
    expect(error.message).toContain(words);
    expect(error.facts).toMatchObject({ server: 'remote', reason });
    expect(error.next.toLowerCase()).toContain(next.toLowerCase());
    expect(await bench.call('mcp', call('fine'))).toBe('fine');
  });

  it('is let go when it does not answer in time', async () => {
    await using server = await startUnrulyHttp();
    await using bench = new PlatformBench({ manifest: { mcp: { remote: { url: server.url, timeoutMs: 400 } } } });
    const error = await refusalOf(bench.call('mcp', call('hang')));
    expect(error.message).toContain('did not answer the tool hang within 400 ms and was let go');
    expect(await bench.call('mcp', call('fine'))).toBe('fine');
  });

  it('is named when it dies in a call, and met again when it is back', async () => {
    await using server = await startEverything();
    await using bench = new PlatformBench({ manifest: { mcp: { remote: { url: server.url } } } });
    const long = { ...call('trigger-long-running-operation'), arguments: { duration: 60, steps: 600 } };
    expect(await bench.call('mcp', { ...call('echo'), arguments: { message: 'hi' } })).toBe('Echo: hi');
    const answer = refusalOf(bench.call('mcp', long));
    process.kill(server.pid, 'SIGKILL');
    const error = await answer;
    expect(error.code).toBe('platform-failed');
    expect(error.message).toContain('the MCP server remote');
    expect(error.message).toContain('the tool trigger-long-running-operation');
    expect((await refusalOf(bench.call('mcp', call('echo')))).facts['reason']).toBe('unreachable');
  });
});

describe('the headers of an MCP server over HTTP', () => {
  const secrets = { REMOTE_KEY: 'Bearer canary-4712' };
  const headers = { authorization: { secret: 'REMOTE_KEY' }, 'x-plain': 'plain' };

  it('are those of relay.json, secrets resolved when it is reached', async () => {
    await using server = await startUnrulyHttp();
    const manifest = { secrets: ['REMOTE_KEY'], mcp: { remote: { url: server.url, headers } } };
    await using bench = new PlatformBench({ manifest, secrets });
    expect(await bench.call('mcp', call('fine'))).toBe('fine');
    expect(server.headers.length).toBeGreaterThan(3);
    for (const seen of server.headers) {
      expect(seen).toMatchObject({ authorization: 'Bearer canary-4712', 'x-plain': 'plain' });
    }
    expect(JSON.stringify([bench.receipts, bench.platform.mcpStates.sessions()])).not.toContain('canary');
  });

  it('hold no secret when they would go over a network in the clear', async () => {
    const url = 'http://mcp.example.test/mcp?key=1';
    const manifest = { secrets: ['REMOTE_KEY'], mcp: { remote: { url, headers } } };
    await using bench = new PlatformBench({ manifest, secrets });
    const error = await refusalOf(bench.call('mcp', call('fine')));
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain(
      'remote would be sent a secret in the clear: its address http://mcp.example.test is',
    );
  });
});

it('reaches a server over HTTP that keeps no session, and says when nobody is there', async () => {
  const program = await startProgram(join(import.meta.dirname, '../../fixtures/programs/http-mcp-server.ts'));
  try {
    const url = `http://127.0.0.1:${program.firstLine}/mcp`;
    const mcp = { remote: { url }, nobody: { url: 'http://127.0.0.1:9/mcp' } };
    await using bench = new PlatformBench({ manifest: { mcp } });
    expect(await bench.call('mcp', { ...call('double'), arguments: { n: 21 } })).toEqual({ n: 42 });
    const error = await refusalOf(bench.call('mcp', { server: 'nobody', tool: 'x' }));
    expect(error.code).toBe('platform-failed');
    expect(error.facts['reason']).toBe('unreachable');
    expect(error.message).toContain('the MCP server nobody failed at its start: fetch failed');
    expect(error.next).toContain('"url"');
  } finally {
    await program.stop();
  }
});
