import { describe, expect, it } from 'vitest';
import type { Decision, LedgerWrite, OperationId } from '../../../runtime/core/index.ts';
import type { OpenLedger } from '../../../runtime/store/index.ts';
import { openTestLedger, startRun } from '../../support/ledger-file.ts';
import { checkpoint, intend, moveRun, testTime } from '../../support/ledger-writes.ts';
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

describe('a pending tool call that its callback was to settle', () => {
  const unsettled = (operation: string): LedgerWrite => ({
    tag: 'operation/unsettled',
    at: testTime + 40,
    claim: { run: 'r', epoch: 1 },
    attempt: 1,
    id: id(operation),
    reason: 'the book is closed',
  });

  it('becomes uncertain when that could not tell, and is told of with the reason', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0.0', { kind: 'tool', name: 'pay' })]);
    expect(ledger.uncertainOperations('r')).toEqual([]);
    const { events } = await ledger.commit([unsettled('0.0')]);
    expect(events).toMatchObject([{ type: 'note', operation: '0.0', data: { unsettled: 'the book is closed' } }]);
    expect(ledger.uncertainOperations('r')).toEqual(['0.0']);
    expect(await refusalOf(ledger.commit([unsettled('0.0')]))).toMatchObject({ code: 'wrong-state' });
  });

  it('is refused for what is checkpointed, and for any other kind', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0'), intend('r', '1.0', { kind: 'tool' }), checkpoint('r', '1.0')]);
    for (const operation of ['0', '1.0']) {
      expect(await refusalOf(ledger.commit([unsettled(operation)]))).toMatchObject({ code: 'wrong-state' });
    }
    expect(await refusalOf(ledger.commit([unsettled('7')]))).toMatchObject({ code: 'not-found' });
    expect(ledger.uncertainOperations('r')).toEqual([]);
  });
});
