import { describe, expect, it } from 'vitest';
import type { Run } from '../../runtime/contract/index.ts';
import { alignAttempts, countCells, lastTwo } from '../../renderer/history/align-attempts.ts';
import { progressOf } from '../../renderer/history/progress.ts';
import { verdictOf } from '../../renderer/history/verdict.ts';
import { recoveredRun, ToldRun } from './told-run.ts';

describe('progressOf', () => {
  const told = (run: ToldRun, now: number, state: Run['state'] = 'running') => progressOf(state, run.history(), now);
  const begun = (): ToldRun => new ToldRun().attempt(1, 0).begin('0', 'charge', 10);

  it('says starting until the first operation was begun, also in a later attempt', () => {
    expect(told(new ToldRun().attempt(1, 0), 5).kind).toBe('starting');
    expect(told(begun().killed(20).attempt(2, 30), 35)).toEqual({ kind: 'starting', since: 30 });
  });
  it('says working, then stuck once nothing was heard for long, naming the operation that is open', () => {
    expect(told(begun(), 9000)).toMatchObject({ kind: 'working', since: 10 });
    expect(told(begun(), 20_000)).toMatchObject({ kind: 'stuck', since: 10, operation: { id: '0' } });
    expect(told(begun().done('0', 12), 20_000)).toEqual({ kind: 'stuck', since: 12, operation: null });
    expect(told(begun().done('0', 12), 500)).toEqual({ kind: 'between', since: 12 });
  });
  it('says retrying with when and which try, until the next try is due', () => {
    const run = begun().failedTry('0', 20, 1, 30_000);
    expect(told(run, 25_000)).toMatchObject({ kind: 'retrying', nextTry: 2, at: 30_020, error: 'try 1' });
    expect(told(run, 30_021).kind).toBe('stuck');
    expect(told(begun().failedTry('0', 20, 1, null), 100).kind).toBe('working');
  });
  it.each([
    ['ask', 'person'],
    ['recv', 'message'],
    ['sleep', 'sleep'],
  ] as const)('does not take a long %s for a run that is stuck', (kind, said) => {
    const run = new ToldRun().attempt(1, 0).begin('0', 'wait', 10, 1, kind);
    expect(told(run, 90_000, 'waiting')).toMatchObject({ kind: said, since: 10 });
  });
  it('takes the states that need no evidence from the run', () => {
    const states = ['queued', 'interrupted', 'needs_reconciliation', 'cancel_requested', 'succeeded'] as const;
    expect(states.map((state) => told(begun(), 20, state).kind)).toEqual([
      ...['queued', 'interrupted', 'reconciliation', 'cancelling', 'over'],
    ]);
  });
});

describe('verdictOf', () => {
  const { attempts } = recoveredRun().history();
  it('says which death was survived and what was reused', () => {
    expect(verdictOf('succeeded', attempts)).toEqual({
      proved: ['process death'],
      words:
        'Recovered after SIGKILL at the crash point reserve@after-checkpoint. In the last attempt 2 operations were reused.',
    });
  });
  it('claims host death only for a host that was gone', () => {
    const [first, second] = attempts;
    if (first === undefined || second === undefined) throw new Error('two attempts were told');
    expect(verdictOf('succeeded', [{ ...first, cause: { kind: 'host-gone' } }, second])?.proved).toEqual([
      'host death',
    ]);
  });
  it('claims nothing for a run in which nobody died, nor before the run succeeded', () => {
    expect(verdictOf('succeeded', attempts.slice(1))?.proved).toEqual([]);
    expect(verdictOf('failed', attempts)).toBeNull();
    expect(verdictOf('interrupted', attempts.slice(0, 1))).toBeNull();
  });
});

describe('alignAttempts', () => {
  const run = recoveredRun()
    .killed(22_320)
    .attempt(3, 23_000)
    .reused('0', 23_001, true)
    .begin('1', 'reserve', 23_010, 2);
  const history = run.history();
  const kinds = (numbers: readonly number[]): (string | undefined)[][] =>
    alignAttempts(history, numbers).map(({ cells }) => cells.map((cell) => cell?.kind));

  it('says of each operation what each attempt did with it', () => {
    expect(kinds([1, 2])).toEqual([
      ['ran', 'reused'],
      ['ran', 'reused'],
      [undefined, 'new'],
      [undefined, 'new'],
    ]);
    expect(kinds([1, 3])).toEqual([
      ['ran', 'diverged'],
      ['ran', 'again'],
    ]);
  });
  it('counts them for the border, and compares the last two attempts first', () => {
    expect(countCells(alignAttempts(history, [1, 2]), 1)).toMatchObject({ reused: 2, new: 2, again: 0 });
    expect(lastTwo(history.attempts)).toEqual([2, 3]);
  });
  it('marks rows in which the attempts differ', () => {
    expect(alignAttempts(history, [1, 1]).some(({ differs }) => differs)).toBe(false);
    expect(alignAttempts(history, [1, 2]).every(({ differs }) => differs)).toBe(true);
  });
});
