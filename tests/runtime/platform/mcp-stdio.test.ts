import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../runtime/core/index.ts';
import { gone, isAlive } from '../../support/process-life.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PlatformBench } from './platform-bench.ts';

const unruly = (...args: string[]) => ({ command: process.execPath, args: ['unruly.mjs', ...args] });
const call = (tool: string, args: Json = {}) => ({ server: 'unruly', tool, arguments: args });

/** Resolves when the file has that line. The test's own time limit ends a wait in vain. */
async function written(file: string, line: string): Promise<void> {
  while (!existsSync(file) || !readFileSync(file, 'utf8').split('\n').includes(line)) await pause(5);
}

describe('an MCP server over stdio that breaks the protocol', () => {
  it.each([
    [
      'wrong-id',
      'gone',
      'answered a request that was never made, with the id "2-other", and was ended; it was asked for',
    ],
    ['no-id', 'gone', 'answered a request that was never made, without an id (Parse error), and was ended'],
    ['not-rpc', 'gone', 'wrote to stdout what is no MCP message, and was ended: "{\\"hello\\":\\"world\\"}\\n"'],
    ['huge-line', 'gone', 'wrote a line of more than 4194304 bytes to stdout, and was ended'],
    ['wrong-shape', 'nonsense', 'answered the tool wrong-shape with what is no MCP result: content:'],
    ['wrong-number', 'nonsense', 'structured content that does not meet its outputSchema: data/n must be number'],
    ['no-number', 'nonsense', 'answered the tool no-number with no structured content, though it has an outputSchema'],
    ['refuse-call', 'refused', 'failed at the tool refuse-call: MCP error -32602: n is odd'],
  ])('is named with what came of the tool %s, and can be called again', async (tool, reason, words) => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } } });
    const error = await refusalOf(bench.call('mcp', call(tool)));
    expect(error.code).toBe('platform-failed');
    expect(error.facts).toMatchObject({ server: 'unruly', reason });
    expect(error.message).toContain('the MCP server unruly');
    expect(error.message).toContain(words);
    expect(error.next).not.toBe('');
    expect(bench.receipts).toMatchObject([{ name: `unruly.${tool}`, ok: false }]);
    expect(await bench.call('mcp', call('number'))).toEqual({ n: 7 });
  });

  it('is ended for answering twice, as nothing it says can be trusted', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } } });
    expect(await bench.call('mcp', call('twice'))).toBe('again');
    while (bench.guarded.size > 0) await pause(5);
    expect(bench.platform.mcpStates.failures()[0]?.message).toContain('answered a request that was never made');
  });

  it.each([
    ['exit', 'gone', 'ended with code 4 (it last said: no licence found); it was asked for its start'],
    ['odd', 'nonsense', 'answered its start with what is no MCP result: protocolVersion:'],
    ['old', 'nonsense', "failed at its start: Server's protocol version is not supported: 1999-01-01"],
    ['endless', 'nonsense', 'does not come to an end of its tools: 100 in up to 100 pages'],
  ])('is named when it greets as %s', async (way, reason, words) => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly(way) } } });
    const error = await refusalOf(bench.call('mcp', call('number')));
    expect(error.message).toContain(words);
    expect(error.facts['reason']).toBe(reason);
    expect(bench.guarded.size).toBe(0);
  });

  it('keeps the beginning of what a server shouts on stderr in the run, and takes no harm', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } } });
    expect(await bench.call('mcp', call('shout'))).toBe('done');
    await bench.platform.release('run-1', 1);
    const file = join(bench.runDir, 'mcp/1/unruly.stderr');
    const kept = readFileSync(file, 'utf8');
    expect(kept).toMatch(/^line 0 of much /);
    expect(kept).toContain('[only the first 262144 bytes are kept]');
    expect(Buffer.byteLength(kept)).toBeLessThan(263_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('tools of an MCP server', () => {
  it('are gathered from all pages', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly('paged') } } });
    // Its schema came with an early page, and is still known.
    const error = await refusalOf(bench.call('mcp', call('wrong-number')));
    expect(error.facts['reason']).toBe('nonsense');
    const unknown = await refusalOf(bench.call('mcp', call('fruit')));
    expect(unknown.message).toMatch(/it has wrong-id, .*, busy$/);
  });

  it('are asked for again when the server says that they changed', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } } });
    expect((await refusalOf(bench.call('mcp', call('fruit')))).message).toContain('has no tool "fruit"');
    expect(await bench.call('mcp', call('grow'))).toBe('grown');
    expect(await bench.call('mcp', call('fruit'))).toBe('an apple');
  });

  it('are those that relay.json allows', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: { ...unruly(), tools: ['number'] } } } });
    expect(await bench.call('mcp', call('number'))).toEqual({ n: 7 });
    const error = await refusalOf(bench.call('mcp', call('env')));
    expect(error.message).toBe('the tool "env" of the MCP server unruly is not allowed: relay.json allows number');
    expect(error.next).toContain('"tools"');
  });
});

describe('the time that an MCP server has', () => {
  it('is its own when relay.json says so', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: { ...unruly(), timeoutMs: 700 } } } });
    const error = await refusalOf(bench.call('mcp', call('wait', { log: join(bench.data.path, 'log') })));
    expect(error.message).toContain('did not answer the tool wait within 700 ms and was let go');
    expect(error.next).toContain('"timeoutMs"');
  });

  it('begins anew with each sign of progress', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: { ...unruly(), timeoutMs: 1500 } } } });
    expect(await bench.call('mcp', call('busy', { signs: 8, everyMs: 300 }))).toBe('at last');
  });
});

describe('the surroundings of an MCP server', () => {
  const secrets = { SHOP_KEY: 'canary-4711-key' };
  const env = { KEY: { secret: 'SHOP_KEY' }, PLAIN: 'plain' };
  const manifest = { secrets: ['SHOP_KEY'], mcp: { unruly: { ...unruly(), env } } };

  it('are the variables that relay.json names, secrets resolved when it starts, and none of the host', async () => {
    await using bench = new PlatformBench({ manifest, secrets });
    process.env['HOST_SECRET'] = 'hush';
    expect(await bench.call('mcp', call('env'))).toBe('canary-4711-key plain undefined');
  });

  it('do not let a secret come out by stderr or by an error', async () => {
    await using bench = new PlatformBench({ manifest, secrets });
    await bench.call('mcp', call('env'));
    const error = await refusalOf(bench.call('mcp', call('die-with-key')));
    expect(error.message).toContain('ended with code 3 (it last said: ');
    expect(error.message).toContain('no entry for [secret SHOP_KEY]');
    const kept = readFileSync(join(bench.runDir, 'mcp/1/unruly.stderr'), 'utf8');
    expect(kept).toBe('my key is [secret SHOP_KEY]\nno entry for [secret SHOP_KEY]\n');
    expect(JSON.stringify([bench.receipts.at(-1), bench.platform.mcpStates.failures()])).not.toContain('canary');
  });

  it('say which secret is missing', async () => {
    await using bench = new PlatformBench({ manifest });
    expect((await refusalOf(bench.call('mcp', call('env')))).message).toBe('no SHOP_KEY');
    expect(bench.guarded.size).toBe(0);
  });

  it('can hold only secrets that relay.json lists', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: { ...unruly(), env } } } });
    const error = await refusalOf(bench.call('mcp', call('env')));
    expect(error.message).toContain('"mcp.unruly.env.KEY.secret" is "SHOP_KEY": expected a name that "secrets" lists');
  });
});

describe('an MCP call whose attempt is over', () => {
  /** A call that stays unanswered, stopped when the server has it. */
  async function stopCall(bench: PlatformBench, args: Record<string, Json>) {
    const log = join(bench.data.path, 'log');
    const stop = new AbortController();
    const late = Promise.withResolvers<{ source: string; value: Json }>();
    const { signal } = stop;
    const answer = refusalOf(bench.call('mcp', call('wait', { log, ...args }), { signal, late: late.resolve }));
    await written(log, 'asked');
    const [pid = 0] = bench.guarded;
    stop.abort(new Error('its process is gone'));
    return { error: await answer, late: late.promise, log, pid };
  }

  it('is cancelled at the server', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } }, lateMs: 60_000 });
    const { error, log } = await stopCall(bench, {});
    expect(error.code).toBe('cancelled');
    expect(error.message).toBe('the tool wait of the MCP server unruly was stopped: its process is gone');
    await bench.platform.release('run-1', 1);
    await written(log, 'cancelled');
  });

  it('hands over an answer that comes all the same, and then ends the server', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly('deaf') } }, lateMs: 60_000 });
    const { late, pid } = await stopCall(bench, { what: 'a table for two', afterMs: 300 });
    await bench.platform.release('run-1', 1);
    expect(isAlive(pid)).toBe(true);
    expect(await late).toEqual({
      source: 'the MCP tool unruly.wait',
      value: { booked: 'a table for two' },
    });
    await gone(pid);
    expect(bench.guarded.size).toBe(0);
    expect(bench.platform.mcpStates.sessions()).toEqual([]);
  });

  it('waits for that a short while only', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } }, lateMs: 200 });
    const { pid } = await stopCall(bench, {});
    await bench.platform.release('run-1', 1);
    await gone(pid);
  });

  it('does not keep the host from ending', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } }, lateMs: 3_600_000 });
    const { pid } = await stopCall(bench, {});
    await bench.platform.release('run-1', 1);
    await bench.platform.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('starts no server any more', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { unruly: unruly() } } });
    const error = await refusalOf(bench.call('mcp', call('number'), { signal: AbortSignal.abort(new Error('over')) }));
    expect(error.code).toBe('cancelled');
    expect(bench.guarded.size).toBe(0);
  });
});
