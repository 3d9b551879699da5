import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/**
 * Each phase of DESIGN.md section 5, hit exactly: what is on disk at the kill, and how often the body ran over both
 * attempts. The bodies note their runs in a file of the run's folder, apart from the ledger.
 */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { appendFileSync } from 'node:fs';
const note = (line: string) => appendFileSync('bodies.txt', line + '\\n');
export const run = DBOS.registerWorkflow(async () => {
  await DBOS.runStep(async () => note('first'), { name: 'first' });
  const value = await DBOS.runStep(async () => { note('target'); await new Promise((r) => setTimeout(r, 20)); note('target done'); return 7; }, { name: 'target' });
  await DBOS.runStep(async () => note('last'), { name: 'last' });
  return value;
}, { name: 'main' });
`;

const legacy = `
import { appendFileSync } from 'node:fs';
const note = (line) => appendFileSync('bodies.txt', line + '\\n');
export async function run(input, ctx) {
  await ctx.step('first', async () => note('first'));
  const value = await ctx.step('target', async () => { note('target'); return 7; }, { replaySafe: input.replaySafe });
  await ctx.step('last', async () => note('last'));
  return value;
}
`;

describe('a crash at each phase of an operation', () => {
  let lab: EngineLab;
  let steps: Release;
  let legacySteps: Release;
  const folders = [new RelayFolder(relay), new RelayFolder(legacy, { name: 'legacy' })] as const;

  beforeAll(async () => {
    lab = await openEngineLab();
    steps = await lab.publish(folders[0].path);
    legacySteps = await lab.publish(folders[1].path);
  });
  afterAll(async () => {
    await lab.close();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  const bodies = async (run: string): Promise<string[]> =>
    (await readFile(join(lab.folder, 'runs', run, 'work', 'bodies.txt'), 'utf8')).trim().split('\n');
  const stateOf = (run: string, name: string) =>
    lab.ledger.operations(run, { after: null, limit: 100 }).find((operation) => operation.name === name)?.state ?? null;

  it.each([
    ['target@before-intent', null, ['first'], ['first', 'target', 'target done', 'last']],
    ['target@after-intent', 'intended', ['first'], ['first', 'target', 'target done', 'last']],
    ['target@during+5', 'intended', ['first', 'target'], ['first', 'target', 'target', 'target done', 'last']],
    [
      'target@during',
      'intended',
      ['first', 'target', 'target done'],
      ['first', 'target', 'target done', 'target', 'target done', 'last'],
    ],
    [
      'target@before-checkpoint',
      'intended',
      ['first', 'target', 'target done'],
      ['first', 'target', 'target done', 'target', 'target done', 'last'],
    ],
    [
      'target@after-checkpoint',
      'checkpointed',
      ['first', 'target', 'target done'],
      ['first', 'target', 'target done', 'last'],
    ],
  ] as const)('of a native step: %s', async (point, recorded, before, after) => {
    const crashed = await lab.finish(steps, null, { crash: [point] });
    expect(crashed.state).toBe('interrupted');
    expect(lab.ledger.attempts(crashed.id)[0]).toMatchObject({
      cause: { kind: 'crash-point', point, signal: 'SIGKILL' },
      crashPlan: [{ point, state: 'fired' }],
    });
    expect(stateOf(crashed.id, 'target')).toBe(recorded);
    expect(await bodies(crashed.id)).toEqual(before);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await bodies(crashed.id)).toEqual(after);
  });

  it.each([
    ['target@before-intent', 'interrupted', 1],
    ['target@after-intent', 'needs_reconciliation', 0],
    ['target@during', 'needs_reconciliation', 1],
    ['target@before-checkpoint', 'needs_reconciliation', 1],
    ['target@after-checkpoint', 'interrupted', 1],
  ] as const)('of a legacy step: %s', async (point, state, times) => {
    const crashed = await lab.finish(legacySteps, { replaySafe: false }, { crash: [point] });
    expect(crashed.state).toBe(state);
    if (state === 'interrupted') {
      expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 7 });
    } else {
      await expect(lab.recover(crashed.id)).rejects.toMatchObject({ code: 'wrong-state' });
      expect(lab.run(crashed.id)).toMatchObject({ state, attempts: 1 });
    }
    expect((await bodies(crashed.id)).filter((line) => line === 'target')).toHaveLength(times);
  });

  it.each(['target@after-intent', 'target@during', 'target@before-checkpoint'])(
    'of a legacy step with replaySafe: %s runs the body again without a question',
    async (point) => {
      const crashed = await lab.finish(legacySteps, { replaySafe: true }, { crash: [point] });
      expect(crashed.state).toBe('interrupted');
      expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 7 });
    },
  );

  it.each([
    ['run@at-start', null],
    ['run@during+1', null],
    ['run@before-result', 'checkpointed'],
  ] as const)('of the run: %s', async (point, last) => {
    const crashed = await lab.finish(steps, null, { crash: [point] });
    expect(crashed.state).toBe('interrupted');
    if (last !== null) expect(stateOf(crashed.id, 'last')).toBe(last);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 7 });
  });

  it('of the run after its result is durable leaves it succeeded', async () => {
    const ended = await lab.finish(steps, null, { crash: ['run@after-result'] });
    expect(ended).toMatchObject({ state: 'succeeded', result: 7 });
    expect(lab.ledger.attempts(ended.id)).toMatchObject([{ cause: { kind: 'crash-point' } }]);
    await expect(lab.recover(ended.id)).rejects.toMatchObject({ code: 'wrong-state' });
  });

  it('while a later attempt replays, at the operation that is reused', async () => {
    const crashed = await lab.finish(steps, null, { crash: ['last@before-intent'] });
    const again = await lab.recover(crashed.id, ['target@at-reuse']);
    expect(again).toMatchObject({ state: 'interrupted', attempts: 2 });
    expect(lab.ledger.attempts(crashed.id)[1]?.crashPlan).toEqual([{ point: 'target@at-reuse', state: 'fired' }]);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await bodies(crashed.id)).toEqual(['first', 'target', 'target done', 'last']);
  });

  it.each([
    ['target@after-intent=SIGTERM', 'SIGTERM'],
    ['target@after-intent=exit:7', 'exit code 7'],
  ])('with another action: %s', async (point, signal) => {
    const crashed = await lab.finish(steps, null, { crash: [point] });
    expect(crashed.state).toBe('interrupted');
    expect(lab.ledger.attempts(crashed.id)[0]?.cause).toMatchObject({ kind: 'crash-point', signal });
    expect(await bodies(crashed.id)).toEqual(['first']);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded' });
  });

  it('that the run never passes is told as missed', async () => {
    const ended = await lab.finish(steps, null, { crash: ['target#2@after-intent', 'nowhere@during'] });
    expect(ended.state).toBe('succeeded');
    expect(lab.ledger.attempts(ended.id)[0]?.crashPlan.map((point) => point.state)).toEqual(['missed', 'missed']);
    const types = lab.ledger.events(ended.id, { after: 0, limit: 100 }).map((event) => event.type);
    expect(types.filter((type) => type === 'crash-point.armed')).toHaveLength(2);
    expect(types.filter((type) => type === 'crash-point.missed')).toHaveLength(2);
  });

  it('keeps events without a gap and revisions rising by one over all of it', async () => {
    const crashed = await lab.finish(steps, null, { crash: ['target@during'] });
    await lab.recover(crashed.id);
    const events = lab.ledger.events(crashed.id, { after: 0, limit: 1000 });
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
    expect(lab.run(crashed.id)).toMatchObject({ revision: 6, epoch: 2 });
  });
});
