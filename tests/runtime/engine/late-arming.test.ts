import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childId } from '../../../runtime/core/index.ts';
import { parseCrashPoint } from '../../../runtime/crash/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { eventOf } from '../../support/event-wait.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/**
 * Crash points armed while an attempt lives. The step `hold` works until the test lets it go, so that each point is armed
 * at a known place; the bodies note their runs in a file of the relay's folder, apart from the ledger.
 */
const imports = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { appendFileSync, existsSync } from 'node:fs';
const note = (line) => appendFileSync('bodies.txt', line + '\\n');
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const step = (name, body = async () => undefined) => DBOS.runStep(async () => { note(name); await body(); }, { name });
const hold = () => step('hold', async () => { DBOS.logger.info('held'); while (!existsSync('go')) await sleep(2); });
`;
const workflow = (body: string): string =>
  `${imports}export const run = DBOS.registerWorkflow(async () => { ${body} }, { name: 'main' });\n`;

const steps = workflow(`
  await step('first'); await hold(); await step('target', () => sleep(20)); await step('last'); return 7;`);
const items = workflow(`
  await step('item'); await step('item'); await hold(); await step('item'); await step('item'); return 'all';`);
const spins = workflow(`await step('spin', () => { for (;;); });`);

describe('a crash point that is armed while the attempt lives', () => {
  let lab: EngineLab;
  const releases = new Map<string, Release>();
  const folders = new Map(
    Object.entries({ steps, items, spins }).map(([name, entry]) => [name, new RelayFolder(entry, { name })]),
  );

  beforeAll(async () => {
    lab = await openEngineLab();
    for (const [name, folder] of folders) releases.set(name, await lab.publish(folder.path));
  });
  afterAll(async () => {
    await lab.close();
    for (const folder of folders.values()) folder[Symbol.dispose]();
  });

  const fileOf = (run: string, name: string): string => join(lab.folder, 'runs', run, 'work', name);
  const bodies = async (run: string): Promise<string> =>
    (await readFile(fileOf(run, 'bodies.txt'), 'utf8')).trim().replaceAll('\n', ' ');
  const letGo = (run: string): Promise<void> => writeFile(fileOf(run, 'go'), '');
  const arm = (run: string, point: string) => Promise.try(() => lab.engine.living(run).arm(parseCrashPoint(point)));
  const disarm = (run: string, point: string) =>
    Promise.try(() => lab.engine.living(run).disarm(parseCrashPoint(point)));
  const stateOf = (run: string, name: string) =>
    lab.ledger.operations(run, { after: null, limit: 100 }).find((operation) => operation.name === name)?.state ?? null;
  const pointEvents = (run: string): string[] =>
    lab.ledger
      .events(run, { after: 0, limit: 1000 })
      .filter(({ type }) => type.startsWith('crash-point.'))
      .map(({ type, attempt, operation }) => `${type} ${attempt} ${operation}`);

  /** Starts a run; resolves when its operation of that name is at work. */
  async function started(relay: string, name: 'hold' | 'spin', crash: readonly string[] = []): Promise<string> {
    const release = releases.get(relay);
    if (release === undefined) throw new Error(`no relay ${relay}`);
    const { id } = await lab.start(release, null, { crash });
    if (name === 'hold') await held(id, 1);
    else await eventOf(lab.ledger, id, ({ type }) => type === 'operation.intended');
    return id;
  }

  /** The body of `hold` has begun in that attempt. */
  async function held(run: string, number: number): Promise<void> {
    await eventOf(lab.ledger, run, ({ type, attempt }) => type === 'log' && attempt === number);
  }

  it.each([
    ['target@before-intent', null, 'first hold', 'first hold target last'],
    ['target@after-intent', 'intended', 'first hold', 'first hold target last'],
    ['target@during+5', 'intended', 'first hold target', 'first hold target target last'],
    ['target@during', 'intended', 'first hold target', 'first hold target target last'],
    ['target@before-checkpoint', 'intended', 'first hold target', 'first hold target target last'],
    ['target@after-checkpoint', 'checkpointed', 'first hold target', 'first hold target last'],
    ['2@after-intent', 'intended', 'first hold', 'first hold target last'],
  ])('hits an operation to come exactly: %s', async (point, recorded, before, after) => {
    const run = await started('steps', 'hold');
    expect((await arm(run, point)).crashPlan).toEqual([{ point, state: 'armed' }]);
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.run(run).state).toBe('interrupted');
    expect(lab.ledger.attempts(run)[0]).toMatchObject({
      cause: { kind: 'crash-point', point, signal: 'SIGKILL' },
      crashPlan: [{ point, state: 'fired' }],
    });
    expect(pointEvents(run)).toEqual(['crash-point.armed 1 null', 'crash-point.fired 1 2']);
    expect(stateOf(run, 'target')).toBe(recorded);
    expect(await bodies(run)).toBe(before);
    expect(await lab.recover(run)).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await bodies(run)).toBe(after);
  });

  it.each([
    ['hold@during+1', false, 'intended'],
    ['hold@during', true, 'intended'],
    ['hold@before-checkpoint', true, 'intended'],
    ['hold@after-checkpoint', true, 'checkpointed'],
    ['run@during+1', false, 'intended'],
  ])('hits the operation that is at work: %s', async (point, goesOn, recorded) => {
    const run = await started('steps', 'hold');
    await arm(run, point);
    if (goesOn) await letGo(run);
    await lab.engine.settled(run);
    expect(lab.ledger.attempts(run)[0]?.cause).toMatchObject({ kind: 'crash-point', point });
    expect(stateOf(run, 'hold')).toBe(recorded);
    expect(await bodies(run)).toBe('first hold');
  });

  it('hits a relay that never yields in the operation that it is at', async () => {
    const run = await started('spins', 'spin');
    await arm(run, 'spin@during+1');
    await lab.engine.settled(run);
    expect(lab.ledger.attempts(run)[0]?.crashPlan).toEqual([{ point: 'spin@during+1', state: 'fired' }]);
  });

  it('waits for a relay that does not yield, and is refused when that one is gone', async () => {
    const run = await started('spins', 'spin');
    const refused = expect(arm(run, 'later@after-intent')).rejects.toMatchObject({ code: 'wrong-state' });
    await lab.engine.kill(run, lab.run(run).revision);
    await refused;
    expect(lab.ledger.attempts(run)[0]?.crashPlan).toEqual([]);
  });

  it('counts occurrences on from what the run has had', async () => {
    const run = await started('items', 'hold');
    await expect(arm(run, 'item#2@after-checkpoint')).rejects.toMatchObject({ code: 'wrong-state' });
    await arm(run, 'item#4@after-intent');
    await letGo(run);
    await lab.engine.settled(run);
    expect(pointEvents(run)).toEqual(['crash-point.armed 1 null', 'crash-point.fired 1 4']);
    expect(await bodies(run)).toBe('item item hold item');
  });

  it.each([
    ['first@after-checkpoint', 'operation 0 (first) is checkpointed already'],
    ['0@during', 'operation 0 (first) is checkpointed already'],
    ['0.3@after-intent', 'operation 0 (first) is checkpointed already'],
    ['hold@after-intent', 'operation 1 (hold) is at work already'],
    ['hold@at-reuse', 'operation 1 (hold) is at work'],
    ['run@at-start', 'the attempt has passed run@at-start'],
  ])('is refused when it is known to be passed: %s', async (point, why) => {
    const run = await started('steps', 'hold');
    await expect(arm(run, point)).rejects.toMatchObject({
      code: 'wrong-state',
      message: expect.stringContaining(why) as string,
    });
    expect(pointEvents(run)).toEqual([]);
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.run(run).state).toBe('succeeded');
  });

  it('is refused on what an earlier attempt has checkpointed, and armed on what that one left open', async () => {
    const run = await started('steps', 'hold');
    await lab.engine.kill(run, lab.run(run).revision);
    await lab.engine.recover(run, lab.run(run).revision, { crashPlan: [], recovery: null });
    await held(run, 2);
    await expect(arm(run, 'first@during')).rejects.toMatchObject({
      message: expect.stringContaining('by an earlier attempt') as string,
    });
    await arm(run, 'target@after-intent');
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.ledger.attempts(run).map(({ crashPlan }) => crashPlan)).toEqual([
      [],
      [{ point: 'target@after-intent', state: 'fired' }],
    ]);
    expect(await bodies(run)).toBe('first hold hold');
  });

  it('is missed when the attempt ends without passing it', async () => {
    const run = await started('steps', 'hold');
    await Promise.all([arm(run, 'target#2@during'), arm(run, 'nowhere@after-intent')]);
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.run(run).state).toBe('succeeded');
    expect(lab.ledger.attempts(run)[0]?.crashPlan).toEqual([
      { point: 'target#2@during', state: 'missed' },
      { point: 'nowhere@after-intent', state: 'missed' },
    ]);
  });

  it('is missed when the body is quicker than its time', async () => {
    const run = await started('steps', 'hold', ['first@during+60000']);
    await arm(run, 'hold@during+60000');
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.ledger.attempts(run)[0]?.crashPlan.map(({ state }) => state)).toEqual(['missed', 'missed']);
  });

  it('that is withdrawn is passed unharmed, also one of the plan from the start', async () => {
    const run = await started('steps', 'hold', ['last@before-intent', 'hold@during+3600000']);
    await arm(run, 'target@after-intent');
    await expect(arm(run, 'target@after-intent')).rejects.toMatchObject({ code: 'wrong-state' });
    await disarm(run, 'target@after-intent');
    await disarm(run, 'hold@during+3600000');
    expect((await disarm(run, 'last@before-intent')).crashPlan.map(({ state }) => state)).toEqual([
      'withdrawn',
      'withdrawn',
      'withdrawn',
    ]);
    await expect(disarm(run, 'last@before-intent')).rejects.toMatchObject({
      code: 'wrong-state',
      facts: { state: 'withdrawn' },
    });
    await expect(disarm(run, 'last@after-intent')).rejects.toMatchObject({ code: 'not-found' });
    await letGo(run);
    await lab.engine.settled(run);
    expect(lab.run(run)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(pointEvents(run).map((event) => event.split(' ')[0])).toEqual([
      ...['crash-point.armed', 'crash-point.armed', 'crash-point.armed'],
      ...['crash-point.withdrawn', 'crash-point.withdrawn', 'crash-point.withdrawn'],
    ]);
  });

  it('is refused where no attempt lives', async () => {
    const run = await started('steps', 'hold');
    await letGo(run);
    await lab.engine.settled(run);
    await expect(arm(run, 'last@during')).rejects.toMatchObject({ code: 'wrong-state' });
    await expect(disarm(run, 'last@during')).rejects.toMatchObject({ code: 'wrong-state' });
    await expect(arm('nobody', 'last@during')).rejects.toMatchObject({ code: 'not-found' });
    await expect(Promise.try(() => lab.engine.living(run).retryNow(childId(null, 0)))).rejects.toMatchObject({
      code: 'wrong-state',
    });
  });
});
