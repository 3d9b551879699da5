import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, LedgerWrite, OperationId } from '../../../runtime/core/index.ts';
import type { OpenLedger } from '../../../runtime/store/index.ts';
import { openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { checkpoint, createRun, intend, moveRun, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const page = { after: null, limit: 1000 } as const;
const id = (text: string): OperationId => text as OperationId;

/** A run that died after the intent of operation 0, which must not be repeated. */
async function dieUncertain(ledger: OpenLedger): Promise<void> {
  await startRun(ledger, 'r');
  await ledger.commit([intend('r', '0', { kind: 'agent', name: 'extract', repeatable: false })]);
  await ledger.commit([moveRun('r', ['running'], 'needs_reconciliation')]);
}

const decide = (decision: Decision, revision = 3, operation = '0'): LedgerWrite => ({
  tag: 'operation/decide',
  at: testTime + 50,
  run: 'r',
  revision,
  id: id(operation),
  decision,
  by: 'ada',
});

describe('an operation', () => {
  it('is intended, then checkpointed, with what was given for each', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0')]);
    const intended = {
      run: 'r',
      id: '0',
      kind: 'step',
      name: 'reserve',
      state: 'intended',
      uncertain: false,
      repeatable: true,
      arguments: '{"json":[1]}',
      outcome: null,
      attempt: 1,
      bodies: 1,
      source: 'relay.ts:3:1',
      intendedAt: testTime + 2,
      checkpointedAt: null,
    };
    expect(ledger.operation('r', id('0'))).toEqual(intended);
    await ledger.commit([checkpoint('r', '0')]);
    const outcome = { ok: true, value: '{"json":"0"}' };
    const checkpointed = { ...intended, state: 'checkpointed', outcome, checkpointedAt: testTime + 3 };
    expect(ledger.operation('r', id('0'))).toEqual(checkpointed);
  });

  it('keeps an error as it was thrown', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const cause = { name: 'Inner', message: 'why', stack: 'at x', code: 'E1', fields: {}, cause: null };
    const error = { name: 'Outer', message: 'what', stack: null, code: 7, fields: { order: [1] }, cause };
    await ledger.commit([intend('r', '0')]);
    await ledger.commit([checkpoint('r', '0', { outcome: { ok: false, error } })]);
    expect(ledger.operation('r', id('0'))?.outcome).toEqual({ ok: false, error });
    expect(ledger.events('r', page0(3))[1]).toMatchObject({ data: { ok: false, error: 'Outer: what' } });
  });

  it('is checkpointed once, and only when it was intended', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    expect((await refusalOf(ledger.commit([checkpoint('r', '0')]))).code).toBe('not-found');
    await ledger.commit([intend('r', '0')]);
    await ledger.commit([checkpoint('r', '0')]);
    const second = checkpoint('r', '0', { outcome: { ok: true, value: 'other' } });
    expect(await refusalOf(ledger.commit([second]))).toMatchObject({
      code: 'wrong-state',
      facts: { found: 'checkpointed' },
    });
    expect(ledger.operation('r', id('0'))?.outcome).toEqual({ ok: true, value: '{"json":"0"}' });
  });

  it('is never intended again after its checkpoint, in no attempt', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0')]);
    await ledger.commit([checkpoint('r', '0')]);
    const { epoch, attempt } = await recoverRun(ledger, 'r');
    const again = intend('r', '0', { claim: { run: 'r', epoch }, attempt });
    expect(await refusalOf(ledger.commit([again]))).toMatchObject({
      code: 'wrong-state',
      facts: { found: 'checkpointed' },
    });
    expect(ledger.operation('r', id('0'))).toMatchObject({ bodies: 1, attempt: 1 });
  });

  it('is intended again by a later attempt when repeating it is harmless, and counts its bodies', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0')]);
    const { epoch, attempt } = await recoverRun(ledger, 'r');
    const claim = { run: 'r', epoch };
    const { events } = await ledger.commit([
      intend('r', '0', { at: testTime + 70, claim, attempt, arguments: '{"json":[2]}', source: 'relay.ts:4:1' }),
    ]);
    expect(events[0]).toMatchObject({ attempt: 2, data: { kind: 'step', name: 'reserve', bodies: 2 } });
    expect(ledger.operation('r', id('0'))).toMatchObject({
      bodies: 2,
      attempt: 2,
      arguments: '{"json":[2]}',
      source: 'relay.ts:4:1',
      // A wait of an operation is counted from its first intent.
      intendedAt: testTime + 2,
    });
    const renamed = intend('r', '0', { claim, attempt, name: 'other' });
    expect((await refusalOf(ledger.commit([renamed]))).code).toBe('wrong-state');
  });

  it('is not intended again when nothing promises that repeating it is harmless', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0', { repeatable: false })]);
    const { epoch, attempt } = await recoverRun(ledger, 'r');
    // Also not by calling it repeatable now.
    const again = intend('r', '0', { claim: { run: 'r', epoch }, attempt, repeatable: true });
    expect((await refusalOf(ledger.commit([again]))).message).toContain('not repeatable intended');
    expect(ledger.operation('r', id('0'))).toMatchObject({ bodies: 1, repeatable: false });
  });

  it('lies in program order, nested ones after the one they are in', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const order = ['0', '2', '2.0', '2.1', '2.10', '9', '10', '10.0', '11', '100'];
    for (const one of [...order].reverse()) void ledger.commit([intend('r', one)], { lazy: true });
    await ledger.commit([]);
    expect(ledger.history('r').map((entry) => entry.id)).toEqual(order);
    const paged: string[] = [];
    for (let after: OperationId | null = null; ;) {
      const part: { id: OperationId }[] = ledger.operations('r', { after, limit: 3 });
      paged.push(...part.map((operation) => operation.id));
      after = part.at(-1)?.id ?? null;
      if (after === null) break;
    }
    expect(paged).toEqual(order);
  });
});

const page0 = (after: number): { after: number; limit: number } => ({ after: after - 1, limit: 100 });

describe('an uncertain operation', () => {
  it('is one that a dead attempt left intended without a promise', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([
      intend('r', '0'),
      intend('r', '1', { repeatable: false }),
      intend('r', '2', { repeatable: false }),
    ]);
    await ledger.commit([checkpoint('r', '2')]);
    const uncertain = (): string[] =>
      ledger.operations('r', page).flatMap((operation) => (operation.uncertain ? [operation.id] : []));
    expect(uncertain()).toEqual([]);
    await ledger.commit([{ tag: 'attempt/ended', at: testTime, run: 'r', attempt: 1, cause: { kind: 'host-gone' } }]);
    expect(uncertain()).toEqual(['1']);
    expect(ledger.uncertainOperations('r')).toEqual(['1']);
  });

  it('takes an accepted result as its checkpoint', async () => {
    const ledger = await openTestLedger();
    await dieUncertain(ledger);
    expect(ledger.operation('r', id('0'))?.uncertain).toBe(true);
    const { events } = await ledger.commit([decide({ kind: 'accept', value: '{"json":9}' })]);
    expect(events.map(({ type, operation, data }) => ({ type, operation, data }))).toEqual([
      { type: 'operation.decided', operation: '0', data: { revision: 4, decision: 'accept', by: 'ada' } },
    ]);
    expect(ledger.operation('r', id('0'))).toMatchObject({
      state: 'checkpointed',
      uncertain: false,
      outcome: { ok: true, value: '{"json":9}' },
      checkpointedAt: testTime + 50,
    });
    expect(ledger.run('r')?.revision).toBe(4);
    expect(ledger.uncertainOperations('r')).toEqual([]);
  });

  it('runs once more when that was decided, and is uncertain again if it dies again', async () => {
    const ledger = await openTestLedger();
    await dieUncertain(ledger);
    await ledger.commit([decide({ kind: 'again' })]);
    expect(ledger.uncertainOperations('r')).toEqual([]);
    expect(ledger.history('r')).toMatchObject([{ state: 'intended', repeatable: true, outcome: null }]);
    expect(ledger.operation('r', id('0'))).toMatchObject({ uncertain: false, repeatable: false });
    await ledger.commit([moveRun('r', ['needs_reconciliation'], 'queued')]);
    const { epoch } = await ledger.commit([
      { tag: 'run/claim', at: testTime, run: 'r', revision: 5, holder: { pid: 1, startTime: '' }, crashPlan: [] },
    ]);
    const again = intend('r', '0', {
      kind: 'agent',
      name: 'extract',
      claim: { run: 'r', epoch: epoch ?? 0 },
      attempt: 2,
    });
    await ledger.commit([again]);
    expect(ledger.operation('r', id('0'))).toMatchObject({ bodies: 2, attempt: 2 });
    expect(ledger.uncertainOperations('r')).toEqual(['0']);
    expect((await refusalOf(ledger.commit([again]))).code).toBe('wrong-state');
  });

  it('stays as it is when the run is failed over it', async () => {
    const ledger = await openTestLedger();
    await dieUncertain(ledger);
    const failed = moveRun('r', ['needs_reconciliation'], 'failed', { reason: 'decided' });
    await ledger.commit([decide({ kind: 'fail', message: 'no' }), failed]);
    expect(ledger.run('r')).toMatchObject({ state: 'failed', revision: 5 });
    expect(ledger.operation('r', id('0'))).toMatchObject({ state: 'intended', uncertain: true });
  });

  it('is decided once, on the revision that was seen, and only when it is one', async () => {
    const ledger = await openTestLedger();
    await dieUncertain(ledger);
    expect((await refusalOf(ledger.commit([decide({ kind: 'again' }, 2)]))).code).toBe('conflict');
    expect((await refusalOf(ledger.commit([decide({ kind: 'again' }, 3, '7')]))).code).toBe('not-found');
    expect(ledger.run('r')?.revision).toBe(3);
    await ledger.commit([decide({ kind: 'accept', value: '1' })]);
    expect((await refusalOf(ledger.commit([decide({ kind: 'again' }, 4)]))).code).toBe('wrong-state');
    expect(ledger.run('r')?.revision).toBe(4);
  });

  it('cannot be decided while the run lives', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0', { repeatable: false })]);
    const refusal = await refusalOf(ledger.commit([decide({ kind: 'again' }, 2)]));
    expect(refusal).toMatchObject({
      code: 'wrong-state',
      facts: { found: 'running', expected: ['needs_reconciliation'] },
    });
  });
});

describe('a reused operation', () => {
  it('is counted in its attempt, with the arguments that differ', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0'), checkpoint('r', '0'), intend('r', '1')]);
    const { epoch, attempt } = await recoverRun(ledger, 'r');
    const reused = {
      tag: 'operation/reused',
      at: testTime,
      claim: { run: 'r', epoch },
      attempt,
      diverged: false,
    } as const;
    await ledger.commit([{ ...reused, id: id('0'), arguments: '{"json":[1]}' }]);
    const { events } = await ledger.commit([{ ...reused, id: id('0'), diverged: true, arguments: '{"json":[8]}' }]);
    expect(events[0]?.data).toEqual({ diverged: true, arguments: '{"json":[8]}' });
    expect(ledger.attempts('r').map((one) => one.reused)).toEqual([0, 2]);
    const unfinished = ledger.commit([{ ...reused, id: id('1'), arguments: null }]);
    expect((await refusalOf(unfinished)).code).toBe('wrong-state');
  });
});

describe('run/copy-history', () => {
  it('copies what was checkpointed before the chosen operation, with what is nested in that', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    for (const one of ['0', '1', '1.0', '2', '2.0', '3', '10']) await ledger.commit([intend('r', one)]);
    for (const one of ['0', '1.0', '1', '2.0', '3', '10']) await ledger.commit([checkpoint('r', one)]);
    const fork = (to: string, before: string): LedgerWrite[] => [
      createRun(to, { forkedFrom: { run: 'r', operation: id(before) } }),
      { tag: 'run/copy-history', at: testTime, from: 'r', to, before: id(before) },
    ];
    const { events } = await ledger.commit(fork('f', '3'));
    expect(events[1]).toMatchObject({ run: 'f', sequence: 2, data: { change: 'history', from: 'r', copied: 3 } });
    // 2 was only intended: it begins afresh, and so does what it had done inside.
    expect(ledger.history('f').map((entry) => entry.id)).toEqual(['0', '1', '1.0']);
    expect(ledger.operation('f', id('1.0'))).toMatchObject({
      state: 'checkpointed',
      outcome: { ok: true, value: '{"json":"1.0"}' },
      attempt: 0,
      bodies: 0,
    });
    await ledger.commit(fork('g', '11'));
    expect(ledger.history('g').map((entry) => entry.id)).toEqual(['0', '1', '1.0', '3', '10']);
    await ledger.commit(fork('h', '1.0'));
    expect(ledger.history('h').map((entry) => entry.id)).toEqual(['0']);
  });

  it('goes only into a run that has not begun', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await startRun(ledger, 'begun');
    const copy = { tag: 'run/copy-history', at: testTime, from: 'r', to: 'begun', before: id('1') } as const;
    expect((await refusalOf(ledger.commit([copy]))).code).toBe('wrong-state');
  });
});

describe('a child workflow', () => {
  it('is found by the workflow id in its arguments', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const child = JSON.stringify({ workflow: 'r-child-4', name: 'pack', arguments: '{"json":[]}' });
    await ledger.commit([
      intend('r', '0', { arguments: child }),
      intend('r', '4', { kind: 'child', name: 'pack', arguments: child }),
      intend('r', '5', { kind: 'child', name: 'broken', arguments: 'not json' }),
    ]);
    expect(ledger.childWorkflow('r-child-4')).toMatchObject({ run: 'r', id: '4', kind: 'child' });
    expect(ledger.childWorkflow('nobody')).toBeNull();
  });
});

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
          expect(together.events(run, page0(1))).toEqual(apart.events(run, page0(1)));
        }
      }),
      { numRuns: 60 },
    );
  });
});
