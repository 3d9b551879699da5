import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childId, type OperationId } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

const steps = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { appendFileSync } from 'node:fs';
export const run = DBOS.registerWorkflow(async (input) => {
  const seen = [];
  for (const name of input.names) {
    seen.push(await DBOS.runStep(async () => {
      appendFileSync('bodies.txt', name + '\\n');
      if (input.fails === name) throw Object.assign(new RangeError('too much'), { code: 'E_MUCH' });
      if (input.slow === name) await new Promise((r) => setTimeout(r, input.slowMs));
      return name.toUpperCase() + (input.suffix ?? '');
    }, { name }));
  }
  return seen;
}, { name: 'main' });
`;

const uncertain = `
export async function run(input, ctx) {
  const first = await ctx.step('certain', async () => 'c', { replaySafe: true });
  let second;
  try { second = await ctx.step('uncertain', async (a) => 'u' + a, { arguments: 5 }); } catch (error) { second = error.message; }
  return [first, second];
}
`;

describe('commands on a run', () => {
  let lab: EngineLab;
  let release: Release;
  let legacy: Release;
  const folders = [
    new RelayFolder(steps, { name: 'steps' }),
    new RelayFolder(uncertain, { name: 'uncertain' }),
  ] as const;
  const names = ['a', 'b', 'c'];
  const top = (n: number): OperationId => childId(null, n);

  beforeAll(async () => {
    lab = await openEngineLab();
    release = await lab.publish(folders[0].path);
    legacy = await lab.publish(folders[1].path);
  });
  afterAll(async () => {
    await lab.close();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  const revisionOf = (id: string): number => lab.run(id).revision;
  const fork = (run: string, operation: OperationId, input: string | null = null) =>
    lab.engine.fork({ run, operation, id: null, input, crashPlan: [], recovery: 'off' });
  const reconcile = (run: string, decision: Parameters<EngineLab['engine']['reconcile']>[0]['decision']) =>
    lab.engine.reconcile({ run, revision: revisionOf(run), operation: top(1), decision, by: 'ada', crashPlan: [] });

  it('fork makes a new run that reuses what came before the chosen operation, and leaves the old one alone', async () => {
    const old = await lab.finish(release, { names });
    const before = lab.ledger.events(old.id, { after: 0, limit: 1000 });
    const forked = await fork(old.id, top(2), JSON.stringify({ names, suffix: '!' }));
    await lab.engine.settled(forked.id);
    expect(lab.run(forked.id)).toMatchObject({
      state: 'succeeded',
      result: ['A', 'B', 'C!'],
      forkedFrom: { run: old.id, operation: '2' },
    });
    expect(lab.ledger.attempts(forked.id)[0]?.reused).toBe(2);
    expect(lab.run(old.id)).toEqual(old);
    expect(lab.ledger.events(old.id, { after: 0, limit: 1000 })).toEqual(before);
  });

  it('fork is how a failed run goes on; it is not reopened itself', async () => {
    const failed = await lab.finish(release, { names, fails: 'b' });
    expect(failed).toMatchObject({
      state: 'failed',
      error: { name: 'RangeError', message: 'too much', code: 'E_MUCH' },
    });
    await expect(lab.recover(failed.id)).rejects.toMatchObject({ code: 'wrong-state' });
    const forked = await fork(failed.id, top(1), JSON.stringify({ names }));
    await lab.engine.settled(forked.id);
    expect(lab.run(forked.id)).toMatchObject({ state: 'succeeded', result: ['A', 'B', 'C'] });
  });

  it('fork refuses an operation that is not there, and one behind an open one', async () => {
    const crashed = await lab.finish(legacy, null, { crash: ['uncertain@during'] });
    await expect(fork(crashed.id, top(9))).rejects.toMatchObject({ code: 'not-found' });
    const forked = await fork(crashed.id, top(1));
    await lab.engine.settled(forked.id);
    expect(lab.run(forked.id)).toMatchObject({ state: 'succeeded', result: ['c', 'u5'] });
  });

  it.each([
    [{ kind: 'accept', value: { was: 'done' } }, 'succeeded', ['c', { was: 'done' }]],
    [{ kind: 'again' }, 'succeeded', ['c', 'u5']],
    [{ kind: 'fail', message: 'nobody knows' }, 'failed', null],
  ] as const)(
    'reconcile with %o ends the run as it says, with a receipt of who decided',
    async (decision, state, result) => {
      const crashed = await lab.finish(legacy, null, { crash: ['uncertain@during'] });
      expect(crashed).toMatchObject({ state: 'needs_reconciliation', attempts: 1 });
      await reconcile(crashed.id, decision);
      await lab.engine.settled(crashed.id);
      expect(lab.run(crashed.id)).toMatchObject({ state, result });
      const [decided] = lab.ledger.receipts(crashed.id, top(1)).filter((receipt) => receipt.kind === 'reconciliation');
      expect(decided?.data).toMatchObject({ by: 'ada', revision: crashed.revision, decision: { kind: decision.kind } });
      if (state === 'failed') expect(lab.run(crashed.id).error?.message).toContain('nobody knows');
      await expect(reconcile(crashed.id, decision)).rejects.toMatchObject({ code: 'wrong-state' });
    },
  );

  it.each([
    ['recover', (id: string, revision: number) => lab.engine.recover(id, revision, { crashPlan: [], recovery: null })],
    ['cancel', (id: string, revision: number) => lab.engine.cancel(id, revision, null)],
    ['kill', (id: string, revision: number) => lab.engine.kill(id, revision)],
  ] as const)('%s on a revision that is past is a conflict that names both', async (_name, command) => {
    const crashed = await lab.finish(release, { names }, { crash: ['b@after-intent'] });
    await expect(Promise.resolve().then(() => command(crashed.id, crashed.revision - 1))).rejects.toMatchObject({
      code: 'conflict',
      facts: { expected: crashed.revision - 1, found: crashed.revision },
    });
    expect(lab.run(crashed.id)).toEqual(crashed);
  });

  it('two recoveries at once start one attempt; the other is refused', async () => {
    const crashed = await lab.finish(release, { names }, { crash: ['b@after-intent'] });
    const both = await Promise.allSettled(
      [1, 2].map(() => lab.engine.recover(crashed.id, crashed.revision, { crashPlan: [], recovery: null })),
    );
    await lab.engine.settled(crashed.id);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect(lab.run(crashed.id)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  it('kill interrupts a living run as a crash would', async () => {
    const run = await lab.start(release, { names, slow: 'b', slowMs: 60_000 });
    await untilOperation(run.id, 'b');
    await lab.engine.kill(run.id, revisionOf(run.id));
    expect(lab.run(run.id).state).toBe('interrupted');
    expect(lab.ledger.attempts(run.id)[0]?.cause).toEqual({ kind: 'killed', by: 'a person' });
  });

  it('cancel ends an interrupted run at once and a living one after its step', async () => {
    const crashed = await lab.finish(release, { names }, { crash: ['b@after-intent'] });
    expect(await lab.engine.cancel(crashed.id, crashed.revision, null)).toMatchObject({ state: 'cancelled' });
    const run = await lab.start(release, { names, slow: 'b', slowMs: 300 });
    await untilOperation(run.id, 'b');
    expect(await lab.engine.cancel(run.id, revisionOf(run.id), null)).toMatchObject({ state: 'cancel_requested' });
    await lab.engine.settled(run.id);
    expect(lab.run(run.id)).toMatchObject({ state: 'cancelled', result: null });
    expect(lab.ledger.operations(run.id, { after: null, limit: 10 }).map(({ name, state }) => [name, state])).toEqual([
      ['a', 'checkpointed'],
      ['b', 'checkpointed'],
    ]);
  });

  it('recover is denied while the permission is revoked, with a receipt and no process', async () => {
    const crashed = await lab.finish(release, { names }, { crash: ['b@after-intent'] });
    await lab.grant('relay:steps', false);
    await expect(lab.recover(crashed.id)).rejects.toMatchObject({ code: 'admission-denied' });
    await lab.grant('relay:steps', true);
    expect(lab.run(crashed.id)).toMatchObject({ state: 'interrupted', revision: crashed.revision, attempts: 1 });
    expect(lab.ledger.receipts(crashed.id, null).at(-1)).toMatchObject({ kind: 'admission', ok: false });
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded' });
  });

  it('recover and fork are refused while the release is gone, with a receipt, and go on when it is back', async () => {
    const crashed = await lab.finish(release, { names }, { crash: ['b@after-intent'] });
    renameSync(release.folder, `${release.folder}.away`);
    const gone = { code: 'binding-changed', message: expect.stringContaining(release.hash) as string };
    await expect(lab.recover(crashed.id)).rejects.toMatchObject(gone);
    await expect(fork(crashed.id, top(1))).rejects.toMatchObject(gone);
    renameSync(`${release.folder}.away`, release.folder);
    expect(lab.run(crashed.id)).toMatchObject({ state: 'interrupted', revision: crashed.revision, attempts: 1 });
    expect(lab.ledger.receipts(crashed.id, null).at(-1)).toMatchObject({ kind: 'admission', ok: false });
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded' });
  });

  it('automatic recovery that is refused says why and does not loop', async () => {
    const run = await lab.start(release, { names, slow: 'b', slowMs: 60_000 }, { recovery: 'immediate' });
    await untilOperation(run.id, 'b');
    await lab.grant('relay:steps', false);
    await lab.engine.kill(run.id, revisionOf(run.id));
    await lab.engine.settled(run.id);
    await lab.grant('relay:steps', true);
    expect(lab.run(run.id)).toMatchObject({ state: 'interrupted', attempts: 1 });
    const notes = lab.ledger.events(run.id, { after: 0, limit: 1000 }).filter((event) => event.type === 'note');
    expect(notes).toMatchObject([{ data: { refused: 'automatic recovery', code: 'admission-denied' } }]);
  });

  async function untilOperation(run: string, name: string): Promise<void> {
    const begun = () => lab.ledger.operations(run, { after: null, limit: 100 }).some((one) => one.name === name);
    if (begun()) return;
    await new Promise<void>((resolve) => {
      const stop = lab.ledger.onEvent((event) => {
        if (event.run !== run || !begun()) return;
        stop();
        resolve();
      });
    });
  }
});
