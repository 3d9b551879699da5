import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import { ledgerFile, openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { claimRun, createRun, intend, moveRun, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

describe('run/claim', () => {
  it('starts the run under the next epoch, opens its attempt and sets start and deadline once', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const crashPlan = [
      { point: 'reserve@during', state: 'armed' },
      { point: 'a@at-reuse', state: 'missed' },
    ] as const;
    const { epoch, events } = await ledger.commit([claimRun('r', 1, { crashPlan })]);
    expect(epoch).toBe(1);
    expect(events.map(({ type, attempt, data }) => [type, attempt, data])).toEqual([
      [
        'run.claimed',
        1,
        { revision: 2, epoch: 1, holder: { pid: 4711, startTime: '99' }, deadlineAt: testTime + 60_001 },
      ],
      ['crash-point.armed', 1, { index: 0, point: 'reserve@during' }],
    ]);
    expect(ledger.run('r')).toMatchObject({
      state: 'running',
      attempts: 1,
      startedAt: testTime + 1,
      deadlineAt: testTime + 60_001,
      holder: { pid: 4711, startTime: '99' },
    });
    const open = { run: 'r', number: 1, epoch: 1, process: null, startedAt: testTime + 1, endedAt: null, cause: null };
    expect(ledger.attempts('r')).toEqual([{ ...open, reused: 0, crashPlan }]);

    await ledger.commit([moveRun('r', ['running'], 'interrupted'), moveRun('r', ['interrupted'], 'queued')]);
    await ledger.commit([claimRun('r', 4, { at: testTime + 500 })]);
    expect(ledger.run('r')).toMatchObject({ epoch: 2, startedAt: testTime + 1, deadlineAt: testTime + 60_001 });
    expect(ledger.attempts('r').map(({ number, epoch: under }) => [number, under])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('is refused when another was faster, and says who holds the run', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const refusal = await refusalOf(ledger.commit([claimRun('r', 1)]));
    expect(refusal).toMatchObject({ code: 'conflict', facts: { found: 2, expected: 1, holder: 4711 } });
    expect(refusal.message).toContain('held by process 4711');
    expect((await refusalOf(ledger.commit([claimRun('r', 2)]))).code).toBe('wrong-state');
    expect(ledger.run('r')?.epoch).toBe(1);
  });

  it('is refused when the run was changed since it was decided, though it is still queued', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    await ledger.commit([{ tag: 'run/set-recovery', at: testTime, run: 'r', revision: 1, recovery: 'immediate' }]);
    const refusal = await refusalOf(ledger.commit([claimRun('r', 1)]));
    expect(refusal).toMatchObject({ code: 'conflict', facts: { found: 2, expected: 1, state: 'queued' } });
    expect(ledger.run('r')).toMatchObject({ state: 'queued', epoch: 0 });
  });

  it('is refused when the budget is spent, naming it', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r', { attemptBudget: 1 });
    await ledger.commit([moveRun('r', ['running'], 'interrupted'), moveRun('r', ['interrupted'], 'queued')]);
    const refusal = await refusalOf(ledger.commit([claimRun('r', 4)]));
    expect(refusal).toMatchObject({ code: 'budget-spent', facts: { attempts: 1, attemptBudget: 1 } });
  });

  it('is refused when the deadline of the first start has passed', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([moveRun('r', ['running'], 'interrupted'), moveRun('r', ['interrupted'], 'queued')]);
    const at = testTime + 60_001;
    expect((await refusalOf(ledger.commit([claimRun('r', 4, { at })]))).code).toBe('deadline-passed');
    expect((await ledger.commit([claimRun('r', 4, { at: at - 1 })])).epoch).toBe(2);
  });

  it('lets exactly one of two processes have the run', async () => {
    const file = ledgerFile();
    const ledger = await openTestLedger(file);
    const rounds = 25;
    for (let n = 0; n < rounds; n++) await ledger.commit([createRun(`r${n}`)]);
    const program = fileURLToPath(new URL('../../fixtures/programs/claim-runs.ts', import.meta.url));
    const [one, other] = await Promise.all([claimAll(program, file, rounds), claimAll(program, file, rounds)]);
    for (let n = 0; n < rounds; n++) {
      expect([one[n], other[n]].sort()).toEqual(['conflict', 'epoch 1']);
      expect(ledger.run(`r${n}`)).toMatchObject({ epoch: 1, attempts: 1, revision: 2, lastSequence: 2 });
    }
  });
});

async function claimAll(program: string, file: string, rounds: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, file, String(rounds)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return lines;
}

describe('a claim that was lost', () => {
  it('refuses every durable write made under it', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0')]);
    await recoverRun(ledger, 'r');
    const claim = { run: 'r', epoch: 1 };
    const before = ledger.run('r');
    for (const write of [
      intend('r', '1'),
      intend('r', '0'),
      {
        tag: 'operation/checkpoint',
        at: testTime,
        claim,
        attempt: 1,
        id: '0' as never,
        outcome: { ok: true, value: '1' },
      },
      { tag: 'operation/reused', at: testTime, claim, attempt: 1, id: '0' as never, diverged: false, arguments: null },
      { tag: 'attempt/spawned', at: testTime, claim, attempt: 1, process: { pid: 1, startTime: '' } },
      { tag: 'run/lower-budget', at: testTime, claim, attemptBudget: 1 },
      moveRun('r', ['running'], 'succeeded', { epoch: 1 }),
    ] as const) {
      expect([write.tag, (await refusalOf(ledger.commit([write]))).code]).toEqual([write.tag, 'claim-lost']);
    }
    expect(ledger.run('r')).toEqual(before);
  });

  it('refuses writes of its own epoch too, once the run has no living process', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([moveRun('r', ['running'], 'interrupted')]);
    const refusal = await refusalOf(ledger.commit([intend('r', '0')]));
    expect(refusal).toMatchObject({ code: 'wrong-state', facts: { found: 'interrupted' } });
  });
});

describe('attempts', () => {
  it('take their process once, end once, and keep the first cause', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const claim = { run: 'r', epoch: 1 };
    const spawned = {
      tag: 'attempt/spawned',
      at: testTime,
      claim,
      attempt: 1,
      process: { pid: 8, startTime: 'then' },
    } as const;
    await ledger.commit([spawned]);
    expect((await refusalOf(ledger.commit([spawned]))).code).toBe('wrong-state');
    expect((await refusalOf(ledger.commit([{ ...spawned, attempt: 2 }]))).code).toBe('not-found');
    const cause = { kind: 'signal', signal: 'SIGKILL' } as const;
    await ledger.commit([{ tag: 'attempt/ended', at: testTime + 5, run: 'r', attempt: 1, cause }]);
    const again = ledger.commit([
      { tag: 'attempt/ended', at: testTime + 6, run: 'r', attempt: 1, cause: { kind: 'finished' } },
    ]);
    expect((await refusalOf(again)).code).toBe('wrong-state');
    expect(ledger.attempts('r')[0]).toMatchObject({ process: spawned.process, endedAt: testTime + 5, cause });
  });

  it('let a crash point fire, miss or be withdrawn once', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r'), claimRun('r', 1, { crashPlan: [{ point: 'a@during', state: 'armed' }] })]);
    const point = {
      tag: 'attempt/crash-point',
      at: testTime,
      run: 'r',
      attempt: 1,
      index: 0,
      operation: null,
    } as const;
    const { events } = await ledger.commit([{ ...point, state: 'fired', operation: '3' as OperationId }]);
    expect(events[0]).toMatchObject({
      type: 'crash-point.fired',
      operation: '3',
      data: { index: 0, point: 'a@during' },
    });
    expect((await refusalOf(ledger.commit([{ ...point, state: 'missed' }]))).code).toBe('wrong-state');
    expect((await refusalOf(ledger.commit([{ ...point, index: 1, state: 'missed' }]))).code).toBe('wrong-state');
    expect((await refusalOf(ledger.commit([{ ...point, state: 'withdrawn' }]))).code).toBe('wrong-state');
    expect(ledger.attempts('r')[0]?.crashPlan).toEqual([{ point: 'a@during', state: 'fired' }]);
  });

  it('take further crash points while they live, and tell the place of each', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r'), claimRun('r', 1, { crashPlan: [{ point: 'a@during', state: 'armed' }] })]);
    const arm = { tag: 'attempt/arm', at: testTime, claim: { run: 'r', epoch: 1 }, attempt: 1 } as const;
    const armed = await ledger.commit([
      { ...arm, point: 'b@during' },
      { ...arm, point: 'c@during' },
    ]);
    expect(armed.events).toMatchObject([
      { type: 'crash-point.armed', attempt: 1, data: { index: 1, point: 'b@during' } },
      { type: 'crash-point.armed', attempt: 1, data: { index: 2, point: 'c@during' } },
    ]);
    const withdrawn = { tag: 'attempt/crash-point', at: testTime, run: 'r', attempt: 1, operation: null } as const;
    const { events } = await ledger.commit([{ ...withdrawn, index: 1, state: 'withdrawn' }]);
    expect(events[0]).toMatchObject({ type: 'crash-point.withdrawn', data: { index: 1, point: 'b@during' } });
    expect(ledger.attempts('r')[0]?.crashPlan.map(({ state }) => state)).toEqual(['armed', 'withdrawn', 'armed']);
    const stale = ledger.commit([{ ...arm, claim: { run: 'r', epoch: 0 }, point: 'd@during' }]);
    expect((await refusalOf(stale)).code).toBe('claim-lost');
    const cause = { kind: 'signal', signal: 'SIGKILL' } as const;
    await ledger.commit([{ tag: 'attempt/ended', at: testTime + 5, run: 'r', attempt: 1, cause }]);
    expect((await refusalOf(ledger.commit([{ ...arm, point: 'd@during' }]))).code).toBe('wrong-state');
    expect(ledger.attempts('r')[0]?.crashPlan).toHaveLength(3);
  });
});
