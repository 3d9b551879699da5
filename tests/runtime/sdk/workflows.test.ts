import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedHost, SdkLab, type AttemptEnd } from '../../support/scripted-host.ts';

const lab = new SdkLab();
const bundles = new Map<string, string>();

beforeAll(async () => {
  await lab.buildSdk();
  for (const name of ['family', 'mail', 'legacy', 'decorated']) bundles.set(name, await lab.relay(name));
  bundles.set('decorated-standard', await lab.relay('decorated-standard', false));
});
afterAll(() => lab[Symbol.dispose]());

function host(relay: string, run = relay): ScriptedHost {
  return new ScriptedHost(lab, bundles.get(relay) ?? '', run);
}
function valueOf(end: AttemptEnd): unknown {
  if (end.result?.outcome.ok !== true) throw new Error(`no value: ${JSON.stringify(end.result)} ${end.stderr}`);
  return JSON.parse(end.result.outcome.value);
}

describe('workflows that a workflow starts', () => {
  const value = {
    called: { n: 1, id: 'ID-0', first: 'leaf 1 ID-0/0', second: 'leaf 2 ID-0/1', at: 1 },
    ids: ['ID-1', 'my-child', 'my-child'],
    results: ['10 ID-1', '20 my-child', '20 my-child'],
    failed: 'TypeError: the child fails',
    timedOut: true,
    cancelled: true,
  };
  const expected = (run: string): unknown => JSON.parse(JSON.stringify(value).replaceAll('ID', run));

  it('are operations whose own operations are nested, with ids made of run and number', async () => {
    const family = host('family');
    const end = await family.attempt({ input: { cancel: true } });
    expect(valueOf(end)).toEqual(expected('family'));
    expect(new Set(family.outline)).toEqual(
      new Set([
        '0 child child checkpointed',
        '0.0 step leaf checkpointed',
        '0.1 step leaf checkpointed',
        '1 child child checkpointed',
        '1.0 step leaf checkpointed',
        '1.1 step leaf checkpointed',
        '2 child child checkpointed',
        '2.0 step leaf checkpointed',
        '2.1 step leaf checkpointed',
        '3 child child checkpointed',
        '4 step DBOS.getResult checkpointed',
        '5 step DBOS.getResult checkpointed',
        '6 step DBOS.getResult checkpointed',
        '7 child failing checkpointed',
        '8 step DBOS.workflowTimeout checkpointed',
        '9 child slow checkpointed',
        '9.0 sleep DBOS.sleep intended',
        '10 child slow checkpointed',
        '10.0 sleep DBOS.sleep intended',
        '11 step DBOS.cancelWorkflow checkpointed',
        '12 step DBOS.getResult checkpointed',
      ]),
    );
    const { arguments: given } = family.entry('1') ?? {};
    expect(JSON.parse(given ?? '')).toEqual({ workflow: 'family-1', name: 'child', arguments: '{"json":[10]}' });
  });

  it.each([
    '0.0@after-checkpoint',
    '0.1@after-intent',
    '1.0@after-checkpoint',
    '2@after-intent',
    '7@before-checkpoint',
    '10@after-intent',
    '11@after-checkpoint',
  ] as const)('go on from where they were after a kill at %s', async (killAt) => {
    const family = host('family', `family-${killAt.replace('@', '-')}`);
    const killed = await family.attempt({ input: { cancel: true }, killAt });
    expect(killed.result).toBeNull();
    const kept = [...family.history.values()]
      .filter((entry) => entry.state === 'checkpointed')
      .map((entry) => entry.id);
    const end = await family.attempt({ input: { cancel: true } });
    expect(valueOf(end)).toEqual(expected(family.run));
    const again = end.frames.flatMap((frame) => (frame.tag === 'intend' ? [frame.id] : []));
    expect(again.filter((id) => kept.includes(id))).toEqual([]);
  });
});

describe('messages, events and streams', () => {
  const value = {
    first: '1',
    news: ['a step', 5],
    nothing: null,
    progress: [['a', 1]],
    lines: ['from a step', { line: 2 }],
  };

  it('pass values of all kinds through the host, nested in a step where they are called', async () => {
    const mail = host('mail');
    expect(valueOf(await mail.attempt())).toEqual(value);
    expect(mail.outline.map((line) => line.replace(' checkpointed', ''))).toEqual([
      '0 send DBOS.send',
      '1 step sender',
      '1.0 send DBOS.send',
      '1.1 event DBOS.writeStream',
      '2 recv DBOS.recv',
      '3 recv DBOS.recv',
      '4 recv DBOS.recv',
      '5 event DBOS.setEvent',
      '6 event DBOS.getEvent',
      '7 event DBOS.writeStream',
      '8 event DBOS.closeStream',
      '9 event DBOS.readStream',
      '10 event DBOS.readStream',
      '11 event DBOS.readStream',
    ]);
  });

  it('are answered from history after a death', async () => {
    const mail = host('mail', 'mail-again');
    await mail.attempt({ killAt: '9@after-checkpoint' });
    const end = await mail.attempt();
    expect(valueOf(end)).toEqual(value);
    expect(end.frames.filter((frame) => frame.tag === 'perform')).toEqual([]);
  });
});

describe('a wait with a deadline', () => {
  it('is asked for again with the time limit of its first attempt', async () => {
    const limits: unknown[] = [];
    const mail = host('mail', 'mail-deadline');
    for (const killAt of ['2@after-intent', '2@after-checkpoint'] as const) {
      const end = await mail.attempt({ input: { deadlineEpochMS: Date.now() + 1000 * (limits.length + 1) }, killAt });
      limits.push(...end.frames.flatMap((frame) => (frame.tag === 'perform' && frame.id === '2' ? [frame.input] : [])));
    }
    expect(limits).toHaveLength(2);
    expect(limits[1]).toEqual(limits[0]);
  });
});

describe('a legacy program run(input, ctx)', () => {
  const order = {
    input: { name: 'Ada' },
    variables: { region: 'eu' },
    platform: (call: { name: string }) => (call.name === 'greet' ? 'hello' : { left: 1 }),
    answer: () => {
      throw new Error('not in the vault');
    },
  };

  it('has its context, and records an intent before each body', async () => {
    const legacy = host('legacy');
    const end = await legacy.attempt(order);
    expect(valueOf(end)).toEqual({
      text: 'hello',
      stock: { left: 1 },
      saved: { text: 'hello', id: 2 },
      safe: 1,
      secret: 'not in the vault',
      region: 'eu',
      same: true,
    });
    const intents = end.frames.flatMap((frame) =>
      frame.tag === 'intend' || frame.tag === 'perform'
        ? [[frame.id, frame.kind, frame.name, frame.repeatable, frame.tag === 'perform' || frame.wait]]
        : [],
    );
    expect(intents).toEqual([
      ['0', 'agent', 'greet', false, true],
      ['1', 'mcp', 'reserve', false, true],
      ['2', 'step', 'save', false, true],
      ['3', 'step', 'safe', true, true],
    ]);
    expect(legacy.entry('2')?.arguments).toBe('{"json":{"text":"hello"}}');
  });

  it('reuses what was kept before a death', async () => {
    const legacy = host('legacy', 'legacy-again');
    await legacy.attempt({ ...order, killAt: 'save@after-checkpoint' });
    const end = await legacy.attempt(order);
    expect(valueOf(end)).toMatchObject({ saved: { text: 'hello', id: 2 }, safe: 1 });
    expect(end.frames.filter((frame) => frame.tag === 'reused')).toHaveLength(3);
  });
});

describe.each(['decorated', 'decorated-standard'])('methods with decorators (%s)', (relay) => {
  it('are workflows and steps, static and of configured instances', async () => {
    const shop = host(relay);
    expect(valueOf(await shop.attempt({ input: { item: 'ink' } }))).toEqual({
      direct: 'ink@0',
      child: 'child@0',
      started: 'started@0',
      instance: 'front sold pen',
      stranger: 'DBOSInvalidWorkflowTransitionError',
    });
    expect(shop.outline.map((line) => line.replace(' checkpointed', ''))).toEqual([
      '0 step reserve',
      '1 child checkout',
      '1.0 step reserve',
      '2 child checkout',
      '2.0 step reserve',
      '3 step DBOS.getResult',
      '4 child sell',
      '4.0 step ring',
      '5 step DBOS.getResult',
      '6 step reserve',
    ]);
  });
});
