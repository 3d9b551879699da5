import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerWrite } from '../../../runtime/core/index.ts';
import { openTestLedger, startRun } from '../../support/ledger-file.ts';
import { checkpoint, intend, testTime } from '../../support/ledger-writes.ts';

const page = { after: null, limit: 1000 } as const;
const fromStart = { after: 0, limit: 1000 };

describe('an intent and a checkpoint that share a batch', () => {
  it('leave the same operations, events and refusals as the same two apart', async () => {
    const together = await openTestLedger();
    const apart = await openTestLedger();
    let runs = 0;
    // Few ids in two runs, so that most sequences repeat, overtake and contradict themselves.
    const write = fc.record({
      run: fc.constantFrom('a', 'b'),
      id: fc.constantFrom('0', '1'),
      what: fc.constantFrom('intend', 'checkpoint', 'note', 'unit'),
      epoch: fc.constantFrom(1, 1, 1, 2),
      repeatable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (sequence) => {
        const prefix = `case-${runs++}-`;
        const units = sequence.map(({ run, id: operation, what, epoch, repeatable }): LedgerWrite[] => {
          const name = prefix + run;
          const claim = { run: name, epoch };
          const note = {
            tag: 'event/add',
            at: testTime,
            run: name,
            type: 'note',
            attempt: null,
            operation: null,
            data: 1,
          } as const;
          if (what === 'intend') return [intend(name, operation, { claim, repeatable })];
          if (what === 'checkpoint') return [checkpoint(name, operation, { claim })];
          return what === 'note' ? [note] : [note, checkpoint(name, operation, { claim })];
        });
        for (const ledger of [together, apart]) for (const run of ['a', 'b']) await startRun(ledger, prefix + run);
        const settle = (promise: Promise<unknown>): Promise<unknown> =>
          promise.then(
            (committed) => committed,
            (error: unknown) => error,
          );
        const at = await Promise.all(units.map((unit) => settle(together.commit(unit))));
        const one: unknown[] = [];
        for (const unit of units) one.push(await settle(apart.commit(unit)));
        expect(at).toEqual(one);
        for (const run of [`${prefix}a`, `${prefix}b`]) {
          expect(together.operations(run, page)).toEqual(apart.operations(run, page));
          expect(together.events(run, fromStart)).toEqual(apart.events(run, fromStart));
        }
      }),
      { numRuns: 60 },
    );
  });
});
