import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import { openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { checkpoint, createRun, intend, testTime } from '../../support/ledger-writes.ts';

const error = { name: 'Error', message: 'no', stack: null, code: null, fields: {}, cause: null };

describe('a ledger', () => {
  it('counts runs by state, with nothing for the states that none is in', async () => {
    const ledger = await openTestLedger();
    expect(Object.values(ledger.runCounts()).every((count) => count === 0)).toBe(true);
    await startRun(ledger, 'a');
    await startRun(ledger, 'b');
    await ledger.commit([createRun('c')]);
    expect(ledger.runCounts()).toMatchObject({ running: 2, queued: 1, succeeded: 0, cancelled: 0 });
  });

  it('knows its newest event, of whichever run', async () => {
    const ledger = await openTestLedger();
    expect(ledger.lastEvent()).toBeNull();
    await startRun(ledger, 'a');
    await startRun(ledger, 'b');
    await ledger.commit([intend('a', '0')]);
    expect(ledger.lastEvent()).toMatchObject({ run: 'a', sequence: 3, type: 'operation.intended', operation: '0' });
  });

  it('tells the failed tries of one operation, over all attempts', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'a');
    await startRun(ledger, 'b');
    const failed = (run: string, id: string, number: number, changes: { epoch?: number; attempt?: number } = {}) => {
      const { epoch = 1, attempt = 1 } = changes;
      const about = { at: testTime + number, claim: { run, epoch }, attempt, id: id as OperationId };
      return { tag: 'operation/try', ...about, number, error, retryInMs: 5 } as const;
    };
    await ledger.commit([intend('a', '0'), failed('a', '0', 1), failed('a', '0', 2), checkpoint('a', '0')]);
    await ledger.commit([intend('a', '1'), failed('a', '1', 1)]);
    await ledger.commit([intend('b', '1'), failed('b', '1', 1)]);
    const { epoch, attempt } = await recoverRun(ledger, 'a');
    await ledger.commit([failed('a', '1', 1, { epoch, attempt })]);
    expect(ledger.tries('a', '0' as OperationId).map(({ number, retryInMs }) => [number, retryInMs])).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(ledger.tries('a', '1' as OperationId)).toEqual([
      { attempt: 1, at: testTime + 1, number: 1, error, retryInMs: 5 },
      { attempt: 2, at: testTime + 1, number: 1, error, retryInMs: 5 },
    ]);
    expect(ledger.tries('a', '2' as OperationId)).toEqual([]);
  });
});
