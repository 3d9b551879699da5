import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { canMove, isLive, isTerminal, runStates } from '../../../runtime/core/index.ts';
import { ledgerFile, openTestLedger, startRun } from '../../support/ledger-file.ts';
import { claimRun, createRun, moveRun, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

describe('run/move', () => {
  it('makes exactly the moves of the state table, for every pair of states', async () => {
    const file = ledgerFile();
    const ledger = await openTestLedger(file);
    // As another process would: the writer must not trust what it remembers of the run.
    const intruder = new Database(file);
    const put = intruder.prepare('UPDATE runs SET state = ? WHERE id = ?');
    for (const from of runStates) {
      for (const to of runStates) {
        const id = `${from}-${to}`;
        await startRun(ledger, id);
        put.run(from, id);
        const moved = ledger.commit([moveRun(id, [...runStates], to, { epoch: 1, revision: 2 })]);
        // Running is entered from queued by a claim alone, which raises the epoch.
        const allowed = canMove(from, to) && !(from === 'queued' && to === 'running');
        if (allowed) await moved;
        else expect(await refusalOf(moved)).toMatchObject({ code: 'wrong-state', facts: { found: from } });
        const run = ledger.run(id);
        expect([id, run?.state, run?.revision]).toEqual([id, allowed ? to : from, allowed ? 3 : 2]);
      }
    }
    intruder.close();
  });

  it('moves only from the states it was told to, though the table has the move', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const refusal = await refusalOf(ledger.commit([moveRun('r', ['waiting'], 'interrupted')]));
    expect(refusal).toMatchObject({ code: 'wrong-state', facts: { found: 'running', expected: ['waiting'] } });
    expect(ledger.run('r')?.revision).toBe(2);
  });

  it('refuses a stale revision with a conflict that names both, before it looks at the state', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const refusal = await refusalOf(ledger.commit([moveRun('r', ['queued'], 'cancelled', { revision: 1 })]));
    expect(refusal).toMatchObject({ code: 'conflict', facts: { found: 2, expected: 1, state: 'running' } });
    expect(refusal.message).toContain('revision 2');
    expect(refusal.message).toContain('revision 1');
  });

  it('refuses an epoch that is no longer the run’s as a lost claim', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const refusal = await refusalOf(ledger.commit([moveRun('r', ['running'], 'succeeded', { epoch: 0 })]));
    expect(refusal).toMatchObject({ code: 'claim-lost', facts: { found: 1, expected: 0 } });
  });

  it('says that there is no such run', async () => {
    const ledger = await openTestLedger();
    expect((await refusalOf(ledger.commit([moveRun('r', ['queued'], 'cancelled')]))).code).toBe('not-found');
  });

  it('keeps the holder while a process may live, and the end’s time, result or error at the end', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const holder = { pid: 4711, startTime: '99' };
    await ledger.commit([moveRun('r', ['running'], 'waiting', { reason: 'waiting for a person' })]);
    expect(ledger.run('r')).toMatchObject({ holder, reason: 'waiting for a person', finishedAt: null });
    await ledger.commit([moveRun('r', ['waiting'], 'running')]);
    expect(ledger.run('r')).toMatchObject({ holder, reason: null });
    await ledger.commit([moveRun('r', ['running'], 'succeeded', { result: '{"total":3}' })]);
    expect(ledger.run('r')).toMatchObject({
      holder: null,
      result: { total: 3 },
      finishedAt: testTime + 9,
      error: null,
    });

    await startRun(ledger, 'failing');
    const error = { name: 'TypeError', message: 'x', stack: null, code: null, fields: { at: 1 }, cause: null };
    await ledger.commit([moveRun('failing', ['running'], 'failed', { error })]);
    expect(ledger.run('failing')).toMatchObject({ holder: null, result: null, error });
    for (const state of runStates) if (isTerminal(state)) expect(isLive(state)).toBe(false);
  });
});

describe('the revision', () => {
  it('rises by one with a claim, a move and a change of recovery, and with nothing else', async () => {
    const ledger = await openTestLedger();
    const revision = (): number | undefined => ledger.run('r')?.revision;
    await ledger.commit([createRun('r')]);
    expect(revision()).toBe(1);
    await ledger.commit([{ tag: 'run/set-recovery', at: testTime, run: 'r', revision: 1, recovery: 'immediate' }]);
    expect([revision(), ledger.run('r')?.recovery]).toEqual([2, 'immediate']);
    await ledger.commit([claimRun('r', 2)]);
    expect(revision()).toBe(3);
    const claim = { run: 'r', epoch: 1 };
    await ledger.commit([
      { tag: 'attempt/spawned', at: testTime, claim, attempt: 1, process: { pid: 5, startTime: 's' } },
      { tag: 'run/lower-budget', at: testTime, claim, attemptBudget: 2 },
      { tag: 'attempt/ended', at: testTime, run: 'r', attempt: 1, cause: { kind: 'host-gone' } },
    ]);
    expect([revision(), ledger.run('r')?.attemptBudget]).toEqual([3, 2]);
    await ledger.commit([{ tag: 'run/lower-budget', at: testTime, claim, attemptBudget: 9 }]);
    expect(ledger.run('r')?.attemptBudget).toBe(2);
    await ledger.commit([moveRun('r', ['running'], 'interrupted')]);
    expect(revision()).toBe(4);
  });

  it('is what a change of recovery must be decided on', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const change = { tag: 'run/set-recovery', at: testTime, run: 'r', recovery: 'immediate' } as const;
    expect((await refusalOf(ledger.commit([{ ...change, revision: 7 }]))).code).toBe('conflict');
    await ledger.commit([moveRun('r', ['queued'], 'cancelled')]);
    expect((await refusalOf(ledger.commit([{ ...change, revision: 2 }]))).code).toBe('wrong-state');
  });
});

describe('run/create', () => {
  it('keeps everything it was given', async () => {
    const ledger = await openTestLedger();
    const forkedFrom = { run: 'other', operation: '3' as never };
    await ledger.commit([
      createRun('r', { forkedFrom, draftFolder: '/drafts/x', recovery: 'immediate', durability: 'none' }),
    ]);
    expect(ledger.run('r')).toEqual({
      id: 'r',
      relay: 'orders',
      release: 'sha256:0',
      caller: 'local',
      durability: 'none',
      state: 'queued',
      revision: 1,
      epoch: 0,
      reason: null,
      input: '{"n":1}',
      result: null,
      error: null,
      recovery: 'immediate',
      attempts: 0,
      attemptBudget: 3,
      deadlineMs: 60_000,
      deadlineAt: null,
      createdAt: testTime,
      startedAt: null,
      finishedAt: null,
      holder: null,
      draftFolder: '/drafts/x',
      forkedFrom,
      bindings: { release: 'sha256:0', input: 'i', variables: 'v', sdk: 's', node: 'n', engine: 'e' },
      lastSequence: 1,
    });
  });

  it('refuses an id that is taken and leaves that run alone', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    expect((await refusalOf(ledger.commit([createRun('r')]))).code).toBe('conflict');
    expect(ledger.run('r')).toMatchObject({ state: 'running', lastSequence: 2 });
  });
});

describe('listing runs', () => {
  it('pages from the newest to the oldest, also where runs were created in the same millisecond', async () => {
    const ledger = await openTestLedger();
    const created = ['a', 'b', 'c', 'd', 'e'];
    for (const id of created) await ledger.commit([createRun(id, { relay: id === 'c' ? 'other' : 'orders' })]);
    await ledger.commit([moveRun('d', ['queued'], 'cancelled')]);
    const all = { before: null, limit: 100, relay: null, state: null };
    expect(ledger.listRuns(all).map((run) => run.id)).toEqual(['e', 'd', 'c', 'b', 'a']);
    const first = ledger.listRuns({ ...all, limit: 2 });
    const last = first.at(-1);
    const before = { createdAt: last?.createdAt ?? 0, id: last?.id ?? '' };
    expect(ledger.listRuns({ ...all, limit: 2, before }).map((run) => run.id)).toEqual(['c', 'b']);
    expect(ledger.listRuns({ ...all, relay: 'orders', state: 'queued', before }).map((run) => run.id)).toEqual([
      'b',
      'a',
    ]);
    expect(ledger.runsInStates(['cancelled', 'running']).map((run) => run.id)).toEqual(['d']);
  });
});
