import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEnd, type EndCause } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { appendFileSync } from 'node:fs';
const step = (name) => DBOS.runStep(async () => appendFileSync('bodies.txt', name + ' '), { name });
export const run = DBOS.registerWorkflow(async ({ deaf }) => {
  if (deaf) process.on('SIGTERM', () => undefined);
  await step('first');
  await step('target');
  return 7;
}, { name: 'main' });
`;

describe('a crash point that does not end the process by itself', () => {
  const folder = new RelayFolder(relay);
  let lab: EngineLab;
  let release: Release;

  beforeAll(async () => {
    lab = await openEngineLab();
    release = await lab.publish(folder.path);
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  const bodies = (run: string): Promise<string> =>
    readFile(join(lab.folder, 'runs', run, 'work', 'bodies.txt'), 'utf8');
  const pidOf = (run: string): number => lab.ledger.attempts(run)[0]?.process?.pid ?? 0;
  const exitCause = (run: string): unknown =>
    (JSON.parse(readFileSync(join(lab.folder, 'runs', run, 'attempts/1/exit.json'), 'utf8')) as { cause: unknown })
      .cause;

  /** The kernel's word for it: T is stopped by a signal. */
  async function stopped(point: string): Promise<string> {
    const { id } = await lab.start(release, { deaf: false }, { crash: [point] });
    const state = (): string | undefined =>
      pidOf(id) === 0 ? undefined : /\) (\w)/.exec(readFileSync(`/proc/${pidOf(id)}/stat`, 'latin1'))?.[1];
    while (state() !== 'T') await delay(2);
    return id;
  }

  function expectEnd(run: string, point: string, cause: EndCause): void {
    expect(lab.ledger.attempts(run)[0]).toMatchObject({ cause, crashPlan: [{ point, state: 'fired' }] });
    expect(exitCause(run)).toEqual(cause);
    expect(lab.run(run)).toMatchObject({
      state: 'interrupted',
      reason: `the process is gone: ${describeEnd(cause)}`,
    });
  }

  it('SIGSTOP stops it there, and what ends it is told as the cause of its death', async () => {
    const point = 'target@after-intent=SIGSTOP';
    const run = await stopped(point);
    expect(lab.run(run).state).toBe('running');
    await lab.engine.kill(run, lab.run(run).revision);
    expectEnd(run, point, { kind: 'killed', by: 'a person' });
    expect(await bodies(run)).toBe('first ');
    expect(await lab.recover(run)).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await bodies(run)).toBe('first target ');
  });

  it('SIGSTOP and then a kill from outside is an end by that signal', async () => {
    const point = 'target@before-checkpoint=SIGSTOP';
    const run = await stopped(point);
    process.kill(pidOf(run), 'SIGKILL');
    await lab.engine.settled(run);
    expectEnd(run, point, { kind: 'signal', signal: 'SIGKILL' });
    expect(await bodies(run)).toBe('first target ');
  });

  it('SIGSTOP that nobody ends is ended by the lab itself, which says so', async () => {
    const point = 'target@after-intent=SIGSTOP';
    const run = await stopped(point);
    await lab.engine.settled(run);
    expectEnd(run, point, { kind: 'crash-point', point, signal: 'SIGSTOP, then SIGKILL' });
  });

  it('SIGTERM that the relay does not heed leaves the end to the next', async () => {
    const point = 'target@after-intent=SIGTERM';
    const { id } = await lab.start(release, { deaf: true }, { crash: [point] });
    while (lab.ledger.attempts(id)[0]?.crashPlan[0]?.state !== 'fired') await delay(2);
    await lab.engine.kill(id, lab.run(id).revision);
    expectEnd(id, point, { kind: 'killed', by: 'a person' });
  });
});
