import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedHost, SdkLab } from '../../support/scripted-host.ts';

const lab = new SdkLab();
let orders: string;
let parallel: string;

beforeAll(async () => {
  await lab.buildSdk();
  orders = await lab.relay('orders');
  parallel = await lab.relay('parallel');
});
afterAll(() => lab[Symbol.dispose]());

const outcome = {
  total: '12',
  day: 1,
  tags: ['pen'],
  key: 'pen/run-1/1',
  failure: 'OutOfStock: none left E_STOCK 0 the shelf is empty false',
  last: 'done',
  isDate: true,
};

describe('steps of a workflow', () => {
  it('records four steps in program order and gives their decoded values and errors at the first execution', async () => {
    const host = new ScriptedHost(lab, orders);
    const end = await host.attempt({ input: { item: 'pen' } });
    expect(end.stderr).toBe('');
    expect(end.result).toMatchObject({ end: 'returned', outcome: { ok: true } });
    expect(JSON.parse(end.result?.outcome.ok === true ? end.result.outcome.value : '')).toEqual(outcome);
    expect(host.outline).toEqual([
      '0 step price checkpointed',
      '1 step book checkpointed',
      '2 step fetch checkpointed',
      '3 step confirm checkpointed',
    ]);
    expect(end.code).toBe(0);
  });

  it('says hello first and names the source line of each call', async () => {
    const end = await new ScriptedHost(lab, orders).attempt({ input: { item: 'pen' } });
    expect(end.frames[0]).toMatchObject({ tag: 'hello', protocol: 1, node: process.version });
    const sources = end.frames.flatMap((frame) => (frame.tag === 'intend' ? [frame.source] : []));
    expect(sources).toEqual(['orders.ts:22', 'orders.ts:23', 'orders.ts:26', 'orders.ts:33']);
  });

  it('keeps the arguments, so that another input is a divergence and no error', async () => {
    const host = new ScriptedHost(lab, orders);
    await host.attempt({ input: { item: 'pen' }, killAt: 'book@after-checkpoint' });
    expect(host.entry('0')?.arguments).toBe('{"json":["pen"]}');
    const end = await host.attempt({ input: { item: 'ink' } });
    const reused = end.frames.filter((frame) => frame.tag === 'reused');
    expect(reused).toEqual([
      { tag: 'reused', id: '0', diverged: true, arguments: '{"json":["ink"]}' },
      { tag: 'reused', id: '1', diverged: true, arguments: '{"json":["ink"]}' },
    ]);
    expect(end.result).toMatchObject({ end: 'returned', outcome: { ok: true } });
  });

  const points = ['price', 'book', 'fetch', 'confirm'].flatMap((name, index) =>
    (['before-intent', 'after-intent', 'before-checkpoint', 'after-checkpoint'] as const).map((phase) => ({
      point: `${name}@${phase}` as const,
      reused: index + (phase === 'after-checkpoint' ? 1 : 0),
    })),
  );
  it.each(points)(
    'ends with the same result after a kill at $point, reusing $reused operations',
    async ({ point, reused }) => {
      const host = new ScriptedHost(lab, orders);
      const killed = await host.attempt({ input: { item: 'pen' }, killAt: point });
      expect(killed).toMatchObject({ result: null, signal: 'SIGKILL' });
      const end = await host.attempt({ input: { item: 'pen' } });
      expect(end.frames.filter((frame) => frame.tag === 'reused')).toHaveLength(reused);
      expect(end.frames.filter((frame) => frame.tag === 'intend')).toHaveLength(4 - reused);
      expect(JSON.parse(end.result?.outcome.ok === true ? end.result.outcome.value : '')).toEqual(outcome);
    },
  );

  it('gives a step the same workflow and step id when its body runs again', async () => {
    const host = new ScriptedHost(lab, orders);
    const bodies: string[] = [];
    for (const killAt of ['book@before-checkpoint', 'book@after-intent', undefined] as const) {
      const end = await host.attempt({ input: { item: 'pen' }, ...(killAt === undefined ? {} : { killAt }) });
      bodies.push(
        ...end.stdout
          .trim()
          .split('\n')
          .filter((line) => line !== ''),
      );
    }
    expect(new Set(bodies)).toEqual(new Set(['body of book: run-1/1']));
    expect(bodies.length).toBeGreaterThanOrEqual(2);
  });

  it('begins no body before its intent is acknowledged while a crash point needs that', async () => {
    const host = new ScriptedHost(lab, orders);
    const end = await host.attempt({ input: { item: 'pen' }, waitForIntents: true, killAt: 'book@after-intent' });
    expect(end.stdout).toBe('');
    const intents = end.frames.flatMap((frame) => (frame.tag === 'intend' ? [frame.wait] : []));
    expect(intents).toEqual([true, true]);
  });
});

describe('steps in parallel', () => {
  it.each([[[30, 15, 0]], [[0, 15, 30]], [[15, 30, 0]]])(
    'are numbered in call order when they take %j ms',
    async (delays) => {
      const host = new ScriptedHost(lab, parallel);
      const end = await host.attempt({ input: { delays } });
      expect(end.result?.outcome).toEqual({ ok: true, value: '["0:0","1:1","2:2"]' });
      const byTime = delays.map((ms, index) => ({ ms, index })).sort((a, b) => a.ms - b.ms);
      expect(end.stdout.trim().split('\n')).toEqual(byTime.map(({ index }) => `finished ${index}`));
      const checkpoints = end.frames.flatMap((frame) => (frame.tag === 'checkpoint' ? [frame.id] : []));
      expect(checkpoints).toEqual(byTime.map(({ index }) => String(index)));
    },
  );

  it('are reused by number when only some were done at the death', async () => {
    const host = new ScriptedHost(lab, parallel);
    await host.attempt({ input: { delays: [500, 0, 500] }, killAt: '1@after-checkpoint' });
    expect(host.outline).toEqual(['0 step work intended', '1 step work checkpointed', '2 step work intended']);
    const end = await host.attempt({ input: { delays: [1, 0, 1] } });
    expect(end.stdout).not.toContain('finished 1');
    expect(end.result?.outcome).toEqual({ ok: true, value: '["0:0","1:1","2:2"]' });
  });
});
