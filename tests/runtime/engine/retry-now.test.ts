import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childId } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { eventOf } from '../../support/event-wait.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** A step that fails `failures` times and waits an hour after each; beside it one that works until it is killed. */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
let tries = 0;
const retry = { retriesAllowed: true, maxAttempts: 5, intervalSeconds: 3600 };
export const run = DBOS.registerWorkflow(async ({ failures }) => {
  await DBOS.runStep(async () => 'quick', { name: 'quick' });
  return DBOS.runStep(async () => {
    tries += 1;
    if (tries <= failures) throw new Error('try ' + tries);
    return tries;
  }, { name: 'flaky', ...retry });
}, { name: 'main' });
`;

describe('a step that waits between two tries', () => {
  const folder = new RelayFolder(relay);
  const flaky = childId(null, 1);
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

  const failed = (run: string, number: number) =>
    eventOf(
      lab.ledger,
      run,
      ({ type, data }) => type === 'operation.try' && (data as { number: number }).number === number,
    );
  const retryNow = (run: string, n: number) => Promise.try(() => lab.engine.living(run).retryNow(childId(null, n)));

  it('goes on at once when it is asked to, each time, and history says that it was', async () => {
    const { id } = await lab.start(release, { failures: 2 });
    expect((await failed(id, 1)).data).toMatchObject({ retryInMs: 3_600_000 });
    await retryNow(id, 1);
    expect((await failed(id, 2)).data).toMatchObject({ retryInMs: 3_600_000 });
    await retryNow(id, 1);
    await lab.engine.settled(id);
    expect(lab.run(id)).toMatchObject({ state: 'succeeded', result: 3 });
    const story = lab.ledger
      .events(id, { after: 0, limit: 100 })
      .filter(({ operation, type }) => operation === flaky && type !== 'operation.intended')
      .map(({ type, data }) => (type === 'note' ? data : type));
    expect(story).toEqual([
      'operation.try',
      { asked: 'retry now' },
      'operation.try',
      { asked: 'retry now' },
      'operation.checkpointed',
    ]);
    expect(lab.ledger.operation(id, flaky)).toMatchObject({ bodies: 1, attempt: 1 });
  });

  it('is refused twice for one wait, for another operation, and once it has ended', async () => {
    const { id } = await lab.start(release, { failures: 1 });
    await failed(id, 1);
    await expect(retryNow(id, 0)).rejects.toMatchObject({ code: 'wrong-state' });
    await expect(retryNow(id, 9)).rejects.toMatchObject({ code: 'wrong-state' });
    const both = await Promise.allSettled([retryNow(id, 1), retryNow(id, 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await lab.engine.settled(id);
    expect(lab.run(id)).toMatchObject({ state: 'succeeded', result: 2 });
    await expect(retryNow(id, 1)).rejects.toMatchObject({ code: 'wrong-state' });
  });

  it('can be cancelled and killed as before', async () => {
    const { id } = await lab.start(release, { failures: 1 });
    await failed(id, 1);
    await lab.engine.cancel(id, lab.run(id).revision, 60_000);
    await lab.engine.settled(id);
    expect(lab.run(id).state).toBe('cancelled');
    expect(lab.ledger.attempts(id)[0]?.cause).toEqual({ kind: 'finished' });
  });
});
