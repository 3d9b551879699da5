import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FeedItem } from '../../runtime/contract/index.ts';
import { refusalOf } from '../support/refusal.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { StandingHost } from '../support/standing-host.ts';
import { plain } from './plain-command.ts';

const unruly = readFileSync(join(import.meta.dirname, '../fixtures/programs/unruly-mcp-server.mjs'), 'utf8');

/** Calls the tool that its input names. */
const caller = `
import { mcp } from 'agentworks';
export const run = async ({ tool }) => mcp({ server: 'unruly', tool, arguments: { log: '/dev/null' } });
`;

function relayWithServers(): RelayFolder {
  const node = { command: process.execPath };
  const relay = new RelayFolder(caller, {
    name: 'caller',
    secrets: ['TOKEN'],
    mcp: {
      unruly: { ...node, args: ['unruly.mjs'], tools: ['number', 'wait', 'die-with-key'] },
      mute: { ...node, args: ['-e', 'setInterval(() => {}, 1000)'] },
      remote: { url: 'https://user:pass@mcp.example.test/mcp?key=1', headers: { 'x-key': { secret: 'TOKEN' } } },
    },
  });
  relay.write('unruly.mjs', unruly);
  return relay;
}

type Rows = FeedItem<'lab/mcp'>;

/** Follows the feed; `until` resolves with the first item that fits. */
function followRows(host: StandingHost) {
  const waiting: { fits: (rows: Rows) => boolean; resolve: (rows: Rows) => void }[] = [];
  let last: Rows = [];
  const stop = host.client.follow('lab/mcp', {}, (rows) => {
    last = rows.filter(({ relay }) => relay === 'caller');
    for (const one of waiting) if (one.fits(last)) one.resolve(last);
  });
  const until = (fits: (rows: Rows) => boolean): Promise<Rows> => {
    if (fits(last)) return Promise.resolve(last);
    return new Promise((resolve) => waiting.push({ fits, resolve }));
  };
  return { stop, until };
}

describe('MCP servers in the client API', () => {
  it('are listed with where they are and without what is secret there', async () => {
    await using host = await StandingHost.start();
    using relay = relayWithServers();
    await host.client.call('relay/open', { folder: relay.path });
    const rows = (await host.client.call('mcp/list', {})).filter((row) => row.relay === 'caller');
    const idle = { relay: 'caller', sessions: [], failure: null };
    expect(rows).toMatchObject([
      { ...idle, server: 'unruly', transport: 'stdio', allowed: ['number', 'wait', 'die-with-key'], secrets: [] },
      { ...idle, server: 'mute', target: expect.stringContaining(process.execPath) as string, allowed: null },
      { ...idle, server: 'remote', transport: 'http', target: 'https://mcp.example.test/mcp', secrets: ['TOKEN'] },
    ]);
  });

  it('are asked what they offer, and let go', async () => {
    await using host = await StandingHost.start();
    using relay = relayWithServers();
    const offered = await host.client.call('mcp/inspect', { folder: relay.path, server: 'unruly' });
    expect(offered).toMatchObject({ name: 'unruly', version: '3', instructions: null });
    const tools = Object.fromEntries(offered.tools.map((tool) => [tool.name, tool]));
    expect(tools['number']).toMatchObject({ isAllowed: true, outputSchema: { required: ['n'] } });
    expect(tools['env']).toMatchObject({ isAllowed: false, description: 'breaks the rule env', outputSchema: null });
    const shown = await plain(['mcp', 'inspect', relay.path, 'unruly'], host.dataDir);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/^unruly 3, protocol 20/);
    expect(shown.stdout).toContain('env (not allowed by relay.json)');
  });

  it('that are not there are named', async () => {
    await using host = await StandingHost.start();
    using relay = relayWithServers();
    const error = await refusalOf(host.client.call('mcp/inspect', { folder: relay.path, server: 'other' }));
    expect(error.message).toBe('relay caller has no MCP server "other": its relay.json lists unruly, mute, remote');
    expect(await plain(['mcp', 'inspect', relay.path, 'other'], host.dataDir)).toMatchObject({ code: 2 });
  });

  it('are not waited for when somebody stops it', async () => {
    await using host = await StandingHost.start();
    using relay = relayWithServers();
    const place = { folder: relay.path, server: 'mute' };
    const asked = refusalOf(host.client.call('mcp/inspect', place));
    const again = await refusalOf(host.client.call('mcp/inspect', place));
    expect(again.code).toBe('wrong-state');
    await host.client.call('mcp/inspect-stop', place);
    const error = await asked;
    expect(error.code).toBe('cancelled');
    expect(error.message).toContain('of the MCP server mute was stopped: somebody stopped it');
  });

  it('are followed from idle over starting to connected and back, and to failed', async () => {
    await using host = await StandingHost.start();
    using relay = relayWithServers();
    const { until } = followRows(host);
    await host.client.call('relay/open', { folder: relay.path });
    await until((rows) => rows.length === 3);
    const start = (tool: string) =>
      host.client.call('run/start', {
        ...{ folder: relay.path, input: JSON.stringify({ tool }), id: tool, crashPlan: [], recovery: 'off' },
      });
    await start('wait');
    const connected = await until((rows) => rows[0]?.sessions[0]?.state === 'connected');
    expect(connected[0]?.sessions).toMatchObject([{ run: 'wait', attempt: 1, pid: expect.any(Number) as number }]);
    const { revision } = (await host.client.call('run/show', { run: 'wait' })).run;
    await host.client.call('run/kill', { run: 'wait', revision });
    expect(await until((rows) => rows[0]?.sessions.length === 0)).toMatchObject([{ failure: null }, {}, {}]);
    await start('die-with-key');
    const [failed] = await until((rows) => (rows[0]?.failure ?? null) !== null);
    expect(failed?.failure).toMatchObject({
      run: 'die-with-key',
      message: 'the MCP server unruly ended with code 3 (it last said: no entry for undefined)',
    });
  });
});
