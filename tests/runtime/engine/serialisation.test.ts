import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** What overlaps is measured where it would: at the MCP server that all of these calls go to. */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { admit, agent, mcp, tool, vault } from 'agentworks';
const work = (name) => mcp({ server: 'measuring', tool: 'work', arguments: { name } });
const helper = (tools) => agent({ name: 'helper', systemPrompt: '', userMessage: 'go', tools, mcp: tools ? [] : [{ server: 'measuring' }] });
const refused = async (call) => { try { await call(); return 'allowed'; } catch (error) { return error.name + ': ' + error.message; } };
const ways = {
  all: () => Promise.all(['a', 'b', 'c'].map(work)),
  mixed: () => Promise.all([
    work('a'),
    DBOS.runStep(async () => { await work('in step 1'); await work('in step 2'); }, { name: 'step one' }),
    helper(),
    DBOS.runStep(async () => work('in step 3'), { name: 'step two' }),
    work('z'),
  ]),
  nested: async () => {
    const said = {};
    const inside = tool({ name: 'inside', run: async () => {
      said.mcp = await refused(() => work('nested'));
      said.agent = await refused(() => helper([]));
      said.admit = await refused(() => admit());
      said.vault = await refused(() => vault('KEY'));
      return null;
    } });
    await helper([inside]);
    return said;
  },
};
export const run = DBOS.registerWorkflow(async (input) => ways[input.way](), { name: 'main' });
`;

describe('platform calls of a run', () => {
  let lab: EngineLab;
  let release: Release;
  let log: string;
  let folder: RelayFolder;

  beforeAll(async () => {
    lab = await openEngineLab();
    log = join(lab.folder, 'measured.txt');
    const server = { command: process.execPath, args: ['measuring.mjs', log] };
    folder = new RelayFolder(relay, { name: 'at-once', mcp: { measuring: server }, secrets: ['KEY'] });
    const program = join(import.meta.dirname, '../../fixtures/programs/measuring-mcp-server.mjs');
    folder.write('measuring.mjs', readFileSync(program, 'utf8'));
    release = await lab.publish(folder.path);
    await lab.grant('mcp:measuring', true);
    await lab.grant('secret:at-once/KEY', true);
    await lab.vault.set('KEY', 'a-long-enough-value');
  });
  beforeEach(() => rmSync(log, { force: true }));
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  const measured = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
  const oneByOne = (...names: string[]) => names.flatMap((name) => [`begin ${name} 1`, `end ${name} 0`]);
  const script = (...turns: unknown[]) => folder.write('fixtures/helper.json', JSON.stringify({ turns }));

  it('reach their server one at a time, in call order, also under Promise.all', async () => {
    const { state, result } = await lab.finish(release, { way: 'all' });
    expect({ state, result }).toEqual({ state: 'succeeded', result: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect(measured()).toEqual(oneByOne('a', 'b', 'c'));
  });

  it('reach it one at a time when they are mixed with steps and with tools of an agent', async () => {
    script({ toolCalls: [{ name: 'work', arguments: { name: 'by agent' } }] }, { text: 'done' });
    const { id, state } = await lab.finish(await lab.publish(folder.path), { way: 'mixed' });
    expect(state).toBe('succeeded');
    const begun = measured().filter((line) => line.startsWith('begin'));
    expect(begun.map((line) => line.replace(/^begin (.*) \d$/, '$1')).sort()).toEqual(
      ['a', 'by agent', 'in step 1', 'in step 2', 'in step 3', 'z'].sort(),
    );
    // Never two at work, and each ends before the next begins.
    expect(measured()).toEqual(oneByOne(...begun.map((line) => line.replace(/^begin (.*) \d$/, '$1'))));
    // In the order of the calls: each is carried out in the turn in which it was asked for.
    const hosted = lab.ledger
      .events(id, { after: 0, limit: 1000 })
      .filter(
        ({ type, data }) => type === 'operation.intended' && ['agent', 'mcp'].includes((data as { kind: string }).kind),
      );
    expect(hosted.map(({ operation }) => operation)).toEqual(['0', '1.0', '2', '3.0', '4', '1.1']);
  });

  it('inside the callback of a tool fail at once, while vault and admit are allowed there', async () => {
    script({ toolCalls: [{ name: 'inside', arguments: {} }] }, { text: 'done' });
    const { state, result } = await lab.finish(await lab.publish(folder.path), { way: 'nested' });
    expect(state).toBe('succeeded');
    expect(result).toEqual({
      mcp: expect.stringContaining('mcp "work" was called inside the callback of a tool of operation 0') as string,
      agent: expect.stringContaining(
        'agent "helper" was called inside the callback of a tool of operation 0',
      ) as string,
      admit: 'allowed',
      vault: 'allowed',
    });
  });
});
