import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../runtime/core/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { cashierRelay, notes, operations } from '../../support/cashier-relay.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';

/** A script of the agent cannot read the run, so each story has a relay of its own. */
interface Story {
  /** Orders in the order in which the agent pays them; some twice. */
  readonly orders: readonly number[];
  /** For each attempt, where it is killed; an attempt without a point, or whose point is missed, ends the run. */
  readonly kills: readonly { readonly call: number; readonly phase: string }[];
  readonly canRecover: boolean;
}

const phase = fc.constantFrom(
  'before-intent',
  'after-intent',
  'during',
  'before-checkpoint',
  'after-checkpoint',
  'at-reuse',
);
const story: fc.Arbitrary<Story> = fc.record({
  orders: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
  kills: fc.array(fc.record({ call: fc.nat({ max: 3 }), phase }), { minLength: 1, maxLength: 2 }),
  canRecover: fc.boolean(),
});

describe('tool calls of an agent that is killed anywhere', () => {
  let lab: EngineLab;
  beforeAll(async () => {
    lab = await openEngineLab();
  });
  afterAll(() => lab.close());

  async function publish({ orders }: Story): Promise<Release> {
    const pay = orders.map((order) => ({ toolCalls: [{ name: 'pay', arguments: { order } }] }));
    using folder = cashierRelay([...pay, { text: 'done' }]);
    return await lab.publish(folder.path);
  }

  it('run no more than once each without a decision, and none of them twice for one identity', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const release = await publish(told);
        const points = told.kills.map(({ call, phase }) => `0.${call}@${phase}`);
        const input = { recover: told.canRecover ? 'sync' : null };
        let run = await lab.finish(release, input, { crash: points.slice(0, 1) });
        if (run.state === 'interrupted') run = await lab.recover(run.id, points.slice(1, 2));
        if (run.state === 'interrupted') run = await lab.recover(run.id);

        const paid = notes(lab, run.id).filter((line) => line.startsWith('pay '));
        expect(new Set(paid).size).toBe(paid.length);
        const calls = operations(lab, run.id).filter(({ kind }) => kind === 'tool');
        const identities = calls.map((call) => canonicalJson([call.name, call.arguments]));
        expect(new Set(identities).size).toBe(identities.length);
        expect(calls.every(({ bodies }) => bodies === 1)).toBe(true);
        // Nothing that ran is missing from the journal, and a run that stops says which call it does not know of.
        for (const line of paid)
          expect(identities.some((one) => one.includes(`{\\"order\\":${line.slice(4)}}`))).toBe(true);
        if (run.state === 'succeeded') {
          expect(calls.map(({ state }) => state)).toEqual([...new Set(told.orders)].map(() => 'checkpointed'));
        } else {
          expect(run).toMatchObject({ state: 'needs_reconciliation' });
          expect(told.canRecover).toBe(false);
          expect(calls.filter(({ uncertain }) => uncertain)).toHaveLength(1);
        }
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 120_000);
});
