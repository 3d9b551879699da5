import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedHost, SdkLab, type AttemptOrder } from '../../support/scripted-host.ts';

const lab = new SdkLab();
let changing: string;
let research: string;
let naps: string;
let patched: string;

beforeAll(async () => {
  await lab.buildSdk();
  changing = await lab.relay('changing');
  research = await lab.relay('research');
  naps = await lab.relay('naps');
  patched = await lab.relay('patched');
});
afterAll(() => lab[Symbol.dispose]());

describe('a program that asks for something else than history holds', () => {
  it.each([
    ['name', 'history holds step "first" here, but the relay asked for step "second"', 'changing.ts:14'],
    ['kind', 'history holds step "first" here, but the relay asked for sleep "DBOS.sleep"', 'changing.ts:15'],
  ])('ends the run, past its own catch, when the %s differs', async (change, message, source) => {
    const host = new ScriptedHost(lab, changing, `changing-${change}`);
    await host.attempt({ input: { change }, killAt: 'first@after-checkpoint' });
    const end = await host.attempt({ input: { change } });
    expect(end.result).toMatchObject({
      end: 'nondeterminism',
      outcome: {
        ok: false,
        error: {
          name: 'NondeterminismError',
          code: 'nondeterminism',
          fields: { position: '0', source, expected: { kind: 'step', name: 'first' } },
        },
      },
    });
    expect(JSON.stringify(end.result)).toContain(`operation 0 (${source}): ${message}`.replaceAll('"', '\\"'));
    expect(end.frames.at(-1)).toBe(end.result);
  });

  it('only reports other arguments of a step of the workflow', async () => {
    const host = new ScriptedHost(lab, changing, 'changing-arguments');
    await host.attempt({ input: { change: 'arguments' }, killAt: 'first@after-checkpoint' });
    const end = await host.attempt({ input: { change: 'arguments' } });
    expect(end.frames).toContainEqual({ tag: 'reused', id: '0', diverged: true, arguments: '{"json":["b"]}' });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"end"' });
  });
});

describe('platform calls inside a step', () => {
  const platform: AttemptOrder['platform'] = async (call, callTool) => {
    if (call.name === 'find') return (await callTool('lookup', { id: 'c1' })) as never;
    if (call.name === 'reserve') return { left: 4 };
    return call.name;
  };
  const names = ['find', 'reserve', 'answer'];

  it('are nested operations with their own number, and the outer ones are serialised in call order', async () => {
    const host = new ScriptedHost(lab, research);
    let open = 0;
    const end = await host.attempt({
      platform: async (call, callTool) => {
        expect((open += 1)).toBe(1);
        const answer = await platform(call, callTool);
        await new Promise((resolve) => setTimeout(resolve, call.name === 'slow' ? 20 : 0));
        open -= 1;
        return answer;
      },
    });
    expect(host.outline).toEqual([
      '0 step research checkpointed',
      '0.0 agent find checkpointed',
      '0.1 mcp reserve checkpointed',
      '0.2 agent answer checkpointed',
      '1 mcp slow checkpointed',
      '2 mcp quick checkpointed',
    ]);
    const found = { ok: true, value: '{"id":"c1","step":0,"inStep":true}' };
    const value = { inside: { found, left: 4, answer: 'answer' }, outside: ['slow', 'quick'] };
    expect(end.result?.outcome).toEqual({ ok: true, value: JSON.stringify(value) });
    const performs = end.frames.filter((frame) => frame.tag === 'perform');
    expect(performs.map(({ id, repeatable, source }) => [id, repeatable, source])).toEqual([
      ['0.0', false, 'research.ts:12'],
      ['0.1', false, 'research.ts:13'],
      ['0.2', true, 'research.ts:14'],
      ['1', false, 'research.ts:34'],
      ['2', false, 'research.ts:35'],
    ]);
    expect(performs[0]?.input).toMatchObject({
      name: 'find',
      userMessage: 'all',
      tools: [{ name: 'lookup', description: 'Looks a customer up.', inputSchema: { required: ['id'] } }],
    });
    expect(performs[1]?.input).toEqual({ server: 'inventory', tool: 'reserve', arguments: { found } });
  });

  it.each(names.map((name, index): [string, number] => [name, index + 1]))(
    'are answered from history when the body runs again after a kill when %s was kept',
    async (name, kept) => {
      const host = new ScriptedHost(lab, research, `research-${name}`);
      await host.attempt({ platform, killAt: `${name}@after-checkpoint` });
      const end = await host.attempt({ platform });
      const reused = end.frames.flatMap((frame) => (frame.tag === 'reused' ? [frame.id] : []));
      expect(reused).toEqual(['0.0', '0.1', '0.2'].slice(0, kept));
      expect(end.frames.filter((frame) => frame.tag === 'perform').map((frame) => frame.name)).toEqual([
        ...names.slice(kept),
        'slow',
        'quick',
      ]);
      expect(end.result).toMatchObject({ end: 'returned', outcome: { ok: true } });
    },
  );

  it('must have the recorded arguments', async () => {
    const host = new ScriptedHost(lab, research, 'research-arguments');
    await host.attempt({ platform, input: { question: 'what?' }, killAt: 'answer@after-checkpoint' });
    const end = await host.attempt({ platform, input: { question: 'who?' } });
    expect(end.result).toMatchObject({
      end: 'nondeterminism',
      outcome: { error: { fields: { position: '0.2', source: 'research.ts:14' } } },
    });
    expect(JSON.stringify(end.result)).toContain('who?');
  });

  it.each([
    ['nested', 'agent "inner" was called inside the callback of a tool of operation 0.0'],
    ['throws', 'no such customer'],
  ])('give the agent what a tool callback threw (%s)', async (id, message) => {
    const outcomes: unknown[] = [];
    await new ScriptedHost(lab, research, `research-tool-${id}`).attempt({
      platform: async (call, callTool) => {
        if (call.name !== 'find') return {};
        outcomes.push(await callTool('lookup', { id }), await callTool('unknown', {}));
        return 'found';
      },
    });
    expect(outcomes).toMatchObject([
      { ok: false, error: { message } },
      { ok: false, error: { message: 'operation 0.0 has no tool "unknown"' } },
    ]);
  });
});

describe('sleep', () => {
  it('keeps the time at which it ends over a death', async () => {
    const host = new ScriptedHost(lab, naps);
    await host.attempt({ input: { ms: 3_600_000 }, killAt: 'DBOS.sleep@after-intent' });
    const recorded = host.entry('0');
    expect(recorded).toMatchObject({ kind: 'sleep', repeatable: true, state: 'intended' });
    const { ms, until } = (JSON.parse(recorded?.arguments ?? '') as { json: { ms: number; until: number } }).json;
    expect(ms).toBe(3_600_000);
    expect(until - Date.now()).toBeGreaterThan(3_500_000);
    // As if the hour had passed while no process lived: nothing is left to sleep.
    const passed = JSON.stringify({ json: { ms, until: Date.now() - 1 } });
    if (recorded !== undefined) host.history.set(recorded.id, { ...recorded, arguments: passed });
    const end = await host.attempt({ input: { ms: 3_600_000 } });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"awake"' });
    const intent = end.frames.find((frame) => frame.tag === 'intend');
    expect(intent).toMatchObject({ id: '0', arguments: passed, wait: true });
  });
});

describe('patch', () => {
  it('marks a new run and keeps to the old way in a run from before the change', async () => {
    const host = new ScriptedHost(lab, patched, 'patched-old');
    await host.attempt({ killAt: 'old-work@after-checkpoint' });
    writeFileSync(join(lab.folder, 'runs', host.run, 'newer'), '');
    const end = await host.attempt();
    expect(end.result?.outcome).toEqual({ ok: true, value: '["before","old","after"]' });
    expect(host.outline.map((line) => line.split(' ')[2])).toEqual(['before', 'old-work', 'after']);
  });

  it('takes the new way in a run that had not come that far, and keeps to it', async () => {
    const host = new ScriptedHost(lab, patched, 'patched-new');
    await host.attempt({ killAt: 'before@after-checkpoint' });
    writeFileSync(join(lab.folder, 'runs', host.run, 'newer'), '');
    const killed = await host.attempt({ killAt: 'new-work@after-checkpoint' });
    expect(killed.result).toBeNull();
    const end = await host.attempt();
    expect(end.result?.outcome).toEqual({ ok: true, value: '["before","new","after"]' });
    expect(host.outline.map((line) => line.split(' ')[2])).toEqual([
      'before',
      'DBOS.patch-faster',
      'new-work',
      'after',
    ]);
  });
});
