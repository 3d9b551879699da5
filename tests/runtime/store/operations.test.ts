import { describe, expect, it } from 'vitest';
import type { LedgerWrite, OperationId } from '../../../runtime/core/index.ts';
import { openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { checkpoint, createRun, intend, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const id = (text: string): OperationId => text as OperationId;

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
    expect(ledger.events('r', { after: 3, limit: 10 })[0]).toMatchObject({ data: { ok: false, error: 'Outer: what' } });
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
