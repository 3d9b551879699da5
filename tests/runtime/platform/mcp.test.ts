import { describe, expect, it } from 'vitest';
import type { Json } from '../../../runtime/core/index.ts';
import { gone, isAlive } from '../../support/process-life.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PlatformBench } from './platform-bench.ts';

const moody = { command: process.execPath, args: ['moody.mjs'] };
const manifest = { mcp: { inventory: { command: 'lab:inventory' }, moody } };
const reserve = {
  server: 'inventory',
  tool: 'reserve',
  arguments: { sku: 'widget', quantity: 2, orderRef: 'run-1:1' },
};

async function pidOf(answer: Promise<Json>): Promise<number> {
  return ((await answer) as { pid: number }).pid;
}

describe('mcp', () => {
  it("calls a tool of the lab's inventory and leaves a receipt of it", async () => {
    await using bench = new PlatformBench({ manifest });
    expect(await bench.call('mcp', reserve)).toEqual({ ...reserve.arguments, reserved: true });
    expect(bench.desk.stats('inventory', 'run-1')).toMatchObject({ attempts: 1, effects: 1 });
    expect(bench.receipts).toEqual([
      {
        kind: 'mcp',
        name: 'inventory.reserve',
        ok: true,
        durationMs: expect.any(Number) as unknown,
        data: { ...reserve, result: { ...reserve.arguments, reserved: true } },
      },
    ]);
  });

  it('keeps one server for an attempt, another for the next, and ends them when the attempt is let go', async () => {
    await using bench = new PlatformBench({ manifest });
    const ask = (attempt: number) => pidOf(bench.call('mcp', { server: 'moody', tool: 'pid' }, { attempt }));
    const first = await ask(1);
    expect(await ask(1)).toBe(first);
    const second = await ask(2);
    expect(second).not.toBe(first);
    expect(bench.guarded).toEqual(new Set([first, second]));
    await bench.platform.release('run-1', 1);
    expect(isAlive(first)).toBe(false);
    expect(isAlive(second)).toBe(true);
    await bench.platform.close();
    expect(isAlive(second)).toBe(false);
    expect(bench.guarded.size).toBe(0);
  });

  it('starts a server in the frozen sources, with no variable of the host but the allowed ones', async () => {
    await using bench = new PlatformBench({ manifest });
    process.env['HOST_SECRET'] = 'hush';
    const answer = await bench.call('mcp', { server: 'moody', tool: 'env' });
    const env = JSON.parse(answer as string) as Record<string, string>;
    expect(env['HOST_SECRET']).toBeUndefined();
    expect(env['PATH']).toBe(process.env['PATH']);
    const { cwd } = (await bench.call('mcp', { server: 'moody', tool: 'pid' })) as { cwd: string };
    expect(cwd).toMatch(/\/releases\/[0-9a-f]{64}\/sources$/);
  });

  it('gives the sole text, or all parts, of an answer without structured content', async () => {
    await using bench = new PlatformBench({ manifest });
    expect(await bench.call('mcp', { server: 'moody', tool: 'two' })).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('names an unknown server and what the relay has', async () => {
    await using bench = new PlatformBench({ manifest });
    const error = await refusalOf(bench.call('mcp', { server: 'stock', tool: 'x' }));
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain('has no MCP server "stock": its relay.json lists inventory, moody');
    expect(bench.receipts).toMatchObject([{ kind: 'mcp', name: 'stock.x', ok: false }]);
  });

  it('names an unknown tool and what the server has', async () => {
    await using bench = new PlatformBench({ manifest });
    const error = await refusalOf(bench.call('mcp', { server: 'inventory', tool: 'sell' }));
    expect(error.message).toBe('the MCP server inventory has no tool "sell": it has reserve, stock');
  });

  it('names a server of the lab that does not exist', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { x: { command: 'lab:warehouse' } } } });
    const error = await refusalOf(bench.call('mcp', { server: 'x', tool: 'y' }));
    expect(error.message).toBe('the lab has no MCP server lab:warehouse: it has lab:inventory');
  });

  it('refuses a call of no use, naming key, value and what was expected', async () => {
    await using bench = new PlatformBench({ manifest });
    const error = await refusalOf(bench.call('mcp', { server: 'inventory', tool: 5, args: {} }));
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain('"tool" is 5: expected string');
    expect(error.message).toContain('the key "args" is unknown');
  });

  it("hands a tool's own error to the relay", async () => {
    await using bench = new PlatformBench({ manifest });
    const refused = await refusalOf(bench.call('mcp', { server: 'moody', tool: 'refuse' }));
    expect(refused.code).toBe('platform-failed');
    expect(refused.facts['reason']).toBe('tool-error');
    expect(refused.message).toContain('answered the tool refuse with an error: no such customer');
    const invalid = await refusalOf(bench.call('mcp', { ...reserve, arguments: { sku: 'widget' } }));
    expect(invalid.message).toContain('quantity');
  });

  it('refuses an answer that is too large for a relay', async () => {
    await using bench = new PlatformBench({ manifest });
    const error = await refusalOf(bench.call('mcp', { server: 'moody', tool: 'large' }));
    expect(error.code).toBe('too-large');
    expect(bench.receipts[0]?.ok).toBe(false);
  });

  it.each([
    ['die', 'ended with code 7 (it last said: out of patience)'],
    ['killed', 'was ended by SIGKILL'],
    ['babble', 'wrote to stdout what is no MCP message, and was ended: "Server listening on stdout!\\n"'],
  ])('says what became of a server at the tool %s, and starts it again at the next call', async (tool, end) => {
    await using bench = new PlatformBench({ manifest });
    const first = await pidOf(bench.call('mcp', { server: 'moody', tool: 'pid' }));
    const error = await refusalOf(bench.call('mcp', { server: 'moody', tool }));
    expect(error.code).toBe('platform-failed');
    expect(error.facts['reason']).toBe('gone');
    expect(error.message).toBe(`the MCP server moody ${end}; it was asked for the tool ${tool}`);
    await gone(first);
    expect(bench.guarded.size).toBe(0);
    expect(await pidOf(bench.call('mcp', { server: 'moody', tool: 'pid' }))).not.toBe(first);
  });

  it('lets go of a server that does not answer in time', async () => {
    await using bench = new PlatformBench({ manifest, timeoutMs: 3000 });
    const pid = await pidOf(bench.call('mcp', { server: 'moody', tool: 'pid' }));
    const error = await refusalOf(bench.call('mcp', { server: 'moody', tool: 'hang' }));
    expect(error.facts['reason']).toBe('timeout');
    expect(error.message).toBe('the MCP server moody did not answer the tool hang within 3000 ms and was let go');
    expect(isAlive(pid)).toBe(false);
  });

  it('lets go of a server that does not even greet', async () => {
    const mute = { command: process.execPath, args: ['moody.mjs', 'mute'] };
    await using bench = new PlatformBench({ manifest: { mcp: { mute } }, timeoutMs: 500 });
    const error = await refusalOf(bench.call('mcp', { server: 'mute', tool: 'x' }));
    expect(error.message).toBe('the MCP server mute did not answer its start within 500 ms and was let go');
    expect(bench.guarded.size).toBe(0);
  });

  it('says when a server cannot be started', async () => {
    await using bench = new PlatformBench({ manifest: { mcp: { x: { command: 'no-such-program' } } } });
    const error = await refusalOf(bench.call('mcp', { server: 'x', tool: 'y' }));
    expect(error.message).toContain('the MCP server x could not be started: no-such-program:');
    expect(error.message).toContain('ENOENT');
  });

  it('stops waiting when the call is stopped', async () => {
    await using bench = new PlatformBench({ manifest });
    const stop = new AbortController();
    const pid = await pidOf(bench.call('mcp', { server: 'moody', tool: 'pid' }));
    const answer = refusalOf(bench.call('mcp', { server: 'moody', tool: 'hang' }, { signal: stop.signal }));
    stop.abort(new Error('the run was cancelled'));
    const error = await answer;
    expect(error.code).toBe('cancelled');
    expect(error.message).toContain('the run was cancelled');
    await bench.platform.release('run-1', 1);
    expect(isAlive(pid)).toBe(false);
  });

  it('ends a server that stays when its stdin closes, and what it has started', async () => {
    const stubborn = { command: process.execPath, args: ['moody.mjs', 'stubborn'] };
    await using bench = new PlatformBench({ manifest: { mcp: { stubborn } } });
    const server = await pidOf(bench.call('mcp', { server: 'stubborn', tool: 'pid' }));
    const grandchild = await pidOf(bench.call('mcp', { server: 'stubborn', tool: 'grandchild' }));
    await bench.platform.release('run-1', 1);
    expect(isAlive(server)).toBe(false);
    await gone(grandchild);
  });

  it('names for admission each server that a call would go through', async () => {
    await using bench = new PlatformBench();
    const { platform } = bench;
    expect(platform.connections('mcp', reserve)).toEqual(['mcp:inventory']);
    const servers = [{ server: 'a' }, { server: 'b', tools: ['x'] }, { server: 'a' }];
    expect(platform.connections('agent', { name: 'x', mcp: servers })).toEqual(['mcp:a', 'mcp:b']);
    expect(platform.connections('agent', { name: 'x' })).toEqual([]);
    expect(platform.connections('mcp', 'nonsense')).toEqual([]);
  });
});
