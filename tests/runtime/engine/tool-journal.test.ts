import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { cashierRelay, notes, operations, outline, reused, toolReceipts } from '../../support/cashier-relay.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';

const args = '{"note":{"a":[2,"ä"],"b":1},"order":1}';
const paid = 'paid r-1';

describe('the tool journal of agent(recovery: "restart")', () => {
  let lab: EngineLab;
  let cashier: Release;
  const folder = cashierRelay();

  beforeAll(async () => {
    lab = await openEngineLab();
    cashier = await lab.publish(folder.path);
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  it('keeps each call as an operation in the agent, with its arguments as canonical JSON', async () => {
    const { id, result } = await lab.finish(cashier, {});
    expect(result).toBe(paid);
    expect(outline(lab, id)).toEqual([
      '0 agent cashier checkpointed',
      '0.0 tool pay checkpointed',
      '0.1 tool ship checkpointed',
      '1 step after checkpointed',
    ]);
    expect(
      operations(lab, id)
        .map((one) => one.arguments)
        .slice(1, 3),
    ).toEqual([args, '{}']);
    expect(operations(lab, id)[1]?.outcome).toEqual({ ok: true, value: '{"json":{"receipt":"r-1"}}' });
    expect(toolReceipts(lab, id)).toEqual(['0.0 pay run true', '0.1 ship run true']);
  });

  it('answers an identical request with the saved result, also in the same attempt, whatever the order of keys', async () => {
    const { id } = await lab.finish(cashier, {});
    expect(notes(lab, id)).toEqual(['pay 1', 'ship {}']);
    expect(reused(lab, id)).toEqual(['0.0 in attempt 1']);
  });

  it('answers it across a restart of the agent', async () => {
    const killed = await lab.finish(cashier, { recover: 'sync' }, { crash: ['ship@after-checkpoint'] });
    expect(killed.state).toBe('interrupted');
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded', result: paid });
    expect(notes(lab, killed.id)).toEqual(['pay 1', 'ship {}']);
    expect(reused(lab, killed.id)).toEqual(['0.0 in attempt 2', '0.1 in attempt 2', '0.0 in attempt 2']);
    expect(operations(lab, killed.id).map(({ name, bodies }) => `${name} ${bodies}`)).toEqual([
      'cashier 2',
      'pay 1',
      'ship 1',
      'after 1',
    ]);
  });

  it.each([
    ['before-intent', 'interrupted', null, [], ['pay 1', 'ship {}']],
    // Nothing was paid, and the callback says that it cannot tell.
    ['after-intent', 'interrupted', 'intended', [], null],
    ['during', 'interrupted', 'intended', ['pay 1'], ['pay 1', `asked ${args}`, 'ship {}']],
    ['before-checkpoint', 'interrupted', 'intended', ['pay 1'], ['pay 1', `asked ${args}`, 'ship {}']],
    ['after-checkpoint', 'interrupted', 'checkpointed', ['pay 1'], ['pay 1', 'ship {}']],
  ] as const)(
    'is hit exactly at pay@%s, and with a callback recovers by it',
    async (phase, state, recorded, before, after) => {
      const point = `pay@${phase}`;
      const killed = await lab.finish(cashier, { recover: 'asks' }, { crash: [point] });
      expect(killed.state).toBe(state);
      expect(lab.ledger.attempts(killed.id)[0]).toMatchObject({
        cause: { kind: 'crash-point', point },
        crashPlan: [{ point, state: 'fired' }],
      });
      expect(operations(lab, killed.id).find(({ name }) => name === 'pay')?.state ?? null).toBe(recorded);
      expect(notes(lab, killed.id)).toEqual(before);
      const recovered = await lab.recover(killed.id);
      expect(recovered.state).toBe(after === null ? 'needs_reconciliation' : 'succeeded');
      if (after !== null) expect(notes(lab, killed.id)).toEqual(after);
    },
  );

  it('is hit at the answer from the journal', async () => {
    const point = 'pay@at-reuse';
    const killed = await lab.finish(cashier, { recover: 'sync' }, { crash: [point] });
    expect(killed.state).toBe('interrupted');
    expect(lab.ledger.attempts(killed.id)[0]?.crashPlan).toEqual([{ point, state: 'fired' }]);
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded', result: paid });
    expect(notes(lab, killed.id)).toEqual(['pay 1', 'ship {}']);
  });

  it('is never asked once the agent is checkpointed: that is reused whole', async () => {
    const killed = await lab.finish(cashier, { recover: 'sync' }, { crash: ['cashier@after-checkpoint'] });
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded', result: paid });
    expect(reused(lab, killed.id)).toEqual(['0.0 in attempt 1', '0 in attempt 2']);
    expect(notes(lab, killed.id)).toEqual(['pay 1', 'ship {}']);
  });

  it('is nested below the step that its agent is called in, and recovers there', async () => {
    const killed = await lab.finish(cashier, { recover: 'sync', inStep: true }, { crash: ['pay@during'] });
    expect(killed.state).toBe('interrupted');
    expect(await lab.recover(killed.id)).toMatchObject({ state: 'succeeded', result: paid });
    expect(notes(lab, killed.id)).toEqual(['pay 1', `asked ${args}`, 'ship {}']);
    expect(outline(lab, killed.id)).toEqual([
      '0 step inside checkpointed',
      '0.0 agent cashier checkpointed',
      '0.0.0 tool pay checkpointed',
      '0.0.1 tool ship checkpointed',
      '1 step after checkpointed',
    ]);
  });

  it('goes with the agent into a fork, and a fork from inside it is refused', async () => {
    const { id } = await lab.finish(cashier, {});
    const order = { run: id, id: null, input: null, crashPlan: [], recovery: 'off' } as const;
    const fork = await lab.engine.fork({ ...order, operation: '1' as OperationId });
    await lab.engine.settled(fork.id);
    expect(lab.run(fork.id)).toMatchObject({ state: 'succeeded', result: paid });
    expect(outline(lab, fork.id)).toEqual(outline(lab, id));
    expect(notes(lab, fork.id)).toEqual([]);
    await expect(lab.engine.fork({ ...order, operation: '0.0' as OperationId })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('no operation 0.0 of its own to fork from') as string,
    });
  });
});
