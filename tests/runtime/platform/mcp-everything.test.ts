import { describe, expect, it } from 'vitest';
import type { Json } from '../../../runtime/core/index.ts';
import { everythingOverStdio, startEverything } from '../../support/everything-server.ts';
import { gone } from '../../support/process-life.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PlatformBench } from './platform-bench.ts';

const call = (tool: string, args: Json = {}) => ({ server: 'everything', tool, arguments: args });

interface Reached extends AsyncDisposable {
  readonly bench: PlatformBench;
}

async function overStdio(options: { timeoutMs?: number } = {}): Promise<Reached> {
  const bench = new PlatformBench({ manifest: { mcp: { everything: { ...everythingOverStdio, ...options } } } });
  return Promise.resolve({ bench, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() });
}

async function overHttp(options: { timeoutMs?: number } = {}): Promise<Reached> {
  const server = await startEverything();
  const bench = new PlatformBench({ manifest: { mcp: { everything: { url: server.url, ...options } } } });
  return {
    bench,
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe.each([
  ['stdio', overStdio],
  ['streamable HTTP', overHttp],
])("MCP's public reference server over %s", (_transport, reach) => {
  it('gives its inventory with schemas', async () => {
    await using reached = await reach();
    const { bench } = reached;
    const { mcp } = await bench.manifest();
    const inspection = await bench.platform.inspectMcp({
      folder: bench.relayFolder,
      manifest: { name: 'relay', mcp },
      server: 'everything',
      signal: new AbortController().signal,
    });
    expect(inspection).toMatchObject({
      name: 'mcp-servers/everything',
      protocol: expect.stringMatching(/^20/) as string,
    });
    const tools = Object.fromEntries(inspection.tools.map((tool) => [tool.name, tool]));
    expect(Object.keys(tools)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']));
    expect(tools['get-sum']?.inputSchema).toMatchObject({ required: ['a', 'b'] });
    expect(tools['get-structured-content']?.outputSchema).toMatchObject({ type: 'object' });
    expect(bench.guarded.size).toBe(0);
  });

  it('echoes and adds', async () => {
    await using reached = await reach();
    const { bench } = reached;
    expect(await bench.call('mcp', call('echo', { message: 'once' }))).toBe('Echo: once');
    expect(await bench.call('mcp', call('get-sum', { a: 40, b: 2 }))).toContain('42');
  });

  it('gives structured content before its text', async () => {
    await using reached = await reach();
    const answer = await reached.bench.call('mcp', call('get-structured-content', { location: 'Chicago' }));
    expect(answer).toEqual({ temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 });
  });

  it('gives images and resources as the parts that they are', async () => {
    await using reached = await reach();
    const { bench } = reached;
    const image = (await bench.call('mcp', call('get-tiny-image'))) as Json[];
    expect(image).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'text' }]);
    const resource = await bench.call('mcp', call('get-resource-reference', { resourceType: 'Text', resourceId: 3 }));
    expect(resource).toMatchObject([{ type: 'text' }, { type: 'resource', resource: { mimeType: 'text/plain' } }, {}]);
  });

  it('may take longer than its time while it tells of progress', async () => {
    await using reached = await reach({ timeoutMs: 1500 });
    const long = call('trigger-long-running-operation', { duration: 2.4, steps: 8 });
    expect(await reached.bench.call('mcp', long)).toContain('completed');
  });

  it('stops a long operation when the call is cancelled', async () => {
    await using reached = await reach();
    const { bench } = reached;
    expect(await bench.call('mcp', call('echo', { message: 'there' }))).toBe('Echo: there');
    const pids = [...bench.guarded];
    const stop = new AbortController();
    const long = call('trigger-long-running-operation', { duration: 60, steps: 600 });
    const answer = refusalOf(bench.call('mcp', long, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    expect((await answer).code).toBe('cancelled');
    await bench.platform.release('run-1', 1);
    await Promise.all(pids.map(gone));
  });

  it('has the arguments of a tool checked by its schema, and says what is wrong', async () => {
    await using reached = await reach();
    const error = await refusalOf(reached.bench.call('mcp', call('get-sum', { a: 'forty', b: 2 })));
    expect(error.code).toBe('platform-failed');
    expect(error.facts['reason']).toMatch(/tool-error|refused/);
    expect(error.message).toContain('expected number');
  });
});
