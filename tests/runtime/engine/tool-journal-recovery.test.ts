import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../runtime/contract/index.ts';
import type { Json, OperationId } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { cashierRelay, notes, operations, outline, toolReceipts } from '../../support/cashier-relay.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';

const asked = 'asked {"note":{"a":[2,"ä"],"b":1},"order":1}';
type Decision =
  | { readonly kind: 'accept'; readonly value: Json }
  | { readonly kind: 'again' }
  | { readonly kind: 'fail'; readonly message: string };

describe('a tool call that a death left pending', () => {
  let lab: EngineLab;
  let cashier: Release;
  const folder = cashierRelay();

  beforeAll(async () => {
    lab = await openEngineLab({ recoverMs: 300 });
    cashier = await lab.publish(folder.path);
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  async function decide(run: Run, decision: Decision): Promise<Run> {
    await lab.engine.reconcile({
      ...{ run: run.id, revision: run.revision, operation: '0.0' as OperationId, decision, by: 'ada', crashPlan: [] },
    });
    await lab.engine.settled(run.id);
    return lab.run(run.id);
  }

  it.each(['sync', 'async'] as const)(
    'is settled by its %s callback, with the original arguments, before the agent starts again',
    async (recover) => {
      const killed = await lab.finish(cashier, { recover }, { crash: ['pay@during'] });
      expect(killed).toMatchObject({ state: 'interrupted' });
      expect(operations(lab, killed.id).filter(({ uncertain }) => uncertain)).toEqual([]);
      expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded', result: 'paid r-1' });
      expect(notes(lab, killed.id)).toEqual(['pay 1', asked, 'ship {}']);
      expect(toolReceipts(lab, killed.id)).toEqual(['0.0 pay (recover) recover true', '0.1 ship run true']);
      const receipt = lab.ledger.receipts(killed.id, '0.0' as OperationId).at(-1);
      expect(receipt?.data).toEqual({ agent: 'cashier', purpose: 'recover', result: { receipt: 'r-1' } });
    },
  );

  it('is asked about once in each attempt until the answer is saved, and then no more', async () => {
    const killed = await lab.finish(cashier, { recover: 'sync' }, { crash: ['pay@during'] });
    await lab.recover(killed.id, ['pay@before-checkpoint']);
    expect(lab.run(killed.id).state).toBe('interrupted');
    expect(outline(lab, killed.id)).toEqual(['0 agent cashier intended', '0.0 tool pay intended']);
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded' });
    expect(notes(lab, killed.id)).toEqual(['pay 1', asked, asked, 'ship {}']);

    const saved = await lab.finish(cashier, { recover: 'sync' }, { crash: ['pay@during'] });
    await lab.recover(saved.id, ['pay@after-checkpoint']);
    expect(await lab.recover(saved.id)).toMatchObject({ state: 'succeeded' });
    expect(notes(lab, saved.id)).toEqual(['pay 1', asked, 'ship {}']);
  });

  it('whose callback kills the process is still to be settled by it', async () => {
    const killed = await lab.finish(cashier, { recover: 'dies' }, { crash: ['pay@during'] });
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'interrupted' });
  });

  it.each([
    ['throws', 'Error: the book cannot be opened'],
    ['undefined', 'the recover callback of tool "pay" returned undefined'],
    ['function', 'the result of recover of tool "pay".receipt is a function'],
    ['hangs', 'it did not answer within 300 milliseconds'],
    ['gone', 'agent cashier has no such tool any more'],
  ] as const)('whose callback %s stops for reconciliation, saying which tool and why', async (recover, why) => {
    const killed = await lab.finish(cashier, { recover }, { crash: ['pay@during'] });
    const stopped = await lab.recover(killed.id);
    expect(stopped.state).toBe('needs_reconciliation');
    expect(stopped.reason).toContain('the tool pay (operation 0.0) was interrupted');
    expect(stopped.reason).toContain(why);
    expect(lab.ledger.attempts(stopped.id)[1]?.cause).toMatchObject({ kind: 'unsettled' });
    expect(notes(lab, stopped.id).filter((line) => line.startsWith('ship'))).toEqual([]);
    expect(operations(lab, stopped.id).map(({ id, uncertain }) => `${id} ${uncertain}`)).toEqual([
      '0 false',
      '0.0 true',
    ]);
    await expect(lab.recover(stopped.id)).rejects.toMatchObject({ code: 'wrong-state' });
    expect(await decide(stopped, { kind: 'accept', value: { receipt: 'seen' } })).toMatchObject(
      recover === 'gone' ? { state: 'failed' } : { state: 'succeeded', result: 'paid seen' },
    );
  });

  it.each(['pay@after-intent', 'pay@during', 'pay@before-checkpoint'])(
    'without a callback needs a decision at once: %s',
    async (point) => {
      const killed = await lab.finish(cashier, { recover: null }, { crash: [point] });
      expect(killed).toMatchObject({ state: 'needs_reconciliation', attempts: 1 });
      expect(killed.reason).toContain('operation 0.0');
      await expect(lab.recover(killed.id)).rejects.toMatchObject({ code: 'wrong-state' });
    },
  );

  it('takes an accepted value as the result of the tool', async () => {
    const killed = await lab.finish(cashier, {}, { crash: ['pay@during'] });
    expect(await decide(killed, { kind: 'accept', value: { receipt: 'seen' } })).toMatchObject({
      state: 'succeeded',
      result: 'paid seen',
    });
    expect(notes(lab, killed.id)).toEqual(['pay 1', 'ship {}']);
  });

  it('runs again when a person says so, once, with the original arguments, before the agent starts', async () => {
    const killed = await lab.finish(cashier, {}, { crash: ['pay@during'] });
    expect(await decide(killed, { kind: 'again' })).toMatchObject({ state: 'succeeded', result: 'paid r-1' });
    expect(notes(lab, killed.id)).toEqual(['pay 1', 'pay 1', 'ship {}']);
    expect(operations(lab, killed.id).map(({ name, bodies }) => `${name} ${bodies}`)).toContain('pay 2');
  });

  it('that died again after such a decision needs another one', async () => {
    const killed = await lab.finish(cashier, {}, { crash: ['pay@during'] });
    await lab.engine.reconcile({
      ...{ run: killed.id, revision: killed.revision, operation: '0.0' as OperationId, by: 'ada' },
      decision: { kind: 'again' },
      crashPlan: [
        {
          on: 'operation',
          operation: { name: 'pay', occurrence: 1 },
          phase: 'after-intent',
          afterMs: null,
          action: { kind: 'signal', signal: 'SIGKILL' },
        },
      ],
    });
    await lab.engine.settled(killed.id);
    expect(lab.run(killed.id)).toMatchObject({ state: 'needs_reconciliation', attempts: 2 });
    expect(notes(lab, killed.id)).toEqual(['pay 1']);
  });

  it('fails the run when a person says so', async () => {
    const killed = await lab.finish(cashier, {}, { crash: ['pay@during'] });
    const failed = await decide(killed, { kind: 'fail', message: 'the bank was told' });
    expect(failed.state).toBe('failed');
    expect(failed.error?.message).toContain('0.0 pay: the bank was told');
    expect(notes(lab, killed.id)).toEqual(['pay 1']);
  });
});
