import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterDeath,
  childId,
  canMove,
  isLive,
  isTerminal,
  nextStates,
  runStates,
  statesBefore,
  type DeathFacts,
  type EndCause,
  type RunState,
} from '../../../runtime/core/index.ts';

describe('the run state machine', () => {
  it('is the table of DESIGN.md section 4', () => {
    expect(nextStates).toEqual({
      queued: ['running', 'cancelled'],
      running: ['succeeded', 'failed', 'interrupted', 'needs_reconciliation', 'waiting', 'cancel_requested'],
      waiting: ['running', 'cancel_requested', 'interrupted', 'cancelled'],
      interrupted: ['queued', 'cancelled'],
      needs_reconciliation: ['queued', 'failed', 'cancelled'],
      cancel_requested: ['cancelled'],
      succeeded: [],
      failed: [],
      cancelled: [],
    });
  });

  it('never leaves a terminal state, whatever is asked of it', () => {
    const walk = fc.array(fc.constantFrom(...runStates), { maxLength: 30 });
    fc.assert(
      fc.property(walk, (wanted) => {
        let state: RunState = 'queued';
        for (const next of wanted) {
          const before: RunState = state;
          if (canMove(state, next)) state = next;
          if (isTerminal(before)) expect(state).toBe(before);
        }
      }),
    );
  });

  it('reaches a terminal state from every state', () => {
    const reach = (state: RunState, seen = new Set<RunState>()): boolean => {
      if (isTerminal(state)) return true;
      seen.add(state);
      return nextStates[state].some((next) => !seen.has(next) && reach(next, seen));
    };
    for (const state of runStates) expect(reach(state)).toBe(true);
  });

  it('names the states before each state as the table read backwards', () => {
    for (const to of runStates) {
      for (const from of runStates) expect(statesBefore(to).includes(from)).toBe(canMove(from, to));
    }
  });
});

const causes: EndCause[] = [
  { kind: 'crash-point', point: 'reserve@after-checkpoint', signal: 'SIGKILL' },
  { kind: 'signal', signal: 'SIGKILL' },
  { kind: 'exit', code: 0 },
  { kind: 'exit', code: 13 },
  { kind: 'could-not-start', detail: 'no such file' },
  { kind: 'frame-invalid', detail: 'not JSON' },
  { kind: 'killed', by: 'a person' },
  { kind: 'grace-over' },
  { kind: 'deadline' },
  { kind: 'host-gone' },
];

const facts: DeathFacts = {
  state: 'running',
  cause: { kind: 'signal', signal: 'SIGKILL' },
  attempt: 1,
  attemptBudget: 3,
  deadlineAt: 10_000,
  now: 5_000,
  durability: 'dbos',
  uncertain: [],
};

describe('what becomes of a run whose process is gone', () => {
  it('stays on the state table for every combination of facts', () => {
    fc.assert(
      fc.property(
        fc.record({
          state: fc.constantFrom<RunState>('running', 'cancel_requested'),
          cause: fc.constantFrom(...causes),
          attempt: fc.integer({ min: 1, max: 4 }),
          attemptBudget: fc.integer({ min: 1, max: 3 }),
          deadlineAt: fc.constantFrom(null, 1, 10_000),
          now: fc.constant(5_000),
          durability: fc.constantFrom<'dbos' | 'none'>('dbos', 'none'),
          uncertain: fc.constantFrom<DeathFacts['uncertain']>([], [childId(null, 2)]),
        }),
        (generated) => {
          expect(isLive(generated.state)).toBe(true);
          expect(canMove(generated.state, afterDeath(generated).to)).toBe(true);
        },
      ),
    );
  });

  it('interrupts it while budget and deadline last and nothing is uncertain', () => {
    expect(afterDeath(facts)).toEqual({ to: 'interrupted', reason: 'the process is gone: it was ended by SIGKILL' });
  });

  it('asks a person when an operation is uncertain', () => {
    const uncertain = [childId(null, 2)];
    expect(afterDeath({ ...facts, uncertain })).toMatchObject({ to: 'needs_reconciliation' });
  });

  it('fails it when the attempt budget is spent, and names the budget', () => {
    const decision = afterDeath({ ...facts, attempt: 3 });
    expect(decision).toMatchObject({ to: 'failed', error: { code: 'budget-spent' } });
    expect(decision.to === 'failed' && decision.error.message).toContain('attempt budget of 3');
  });

  it('fails it when the deadline has passed', () => {
    expect(afterDeath({ ...facts, now: 10_000 })).toMatchObject({ to: 'failed', error: { code: 'deadline-passed' } });
  });

  it('fails it when nothing of it is durable', () => {
    expect(afterDeath({ ...facts, durability: 'none' })).toMatchObject({
      to: 'failed',
      error: { code: 'process-gone' },
    });
  });

  it('cancels it when that was asked for, whatever else is true', () => {
    const decision = afterDeath({ ...facts, state: 'cancel_requested', attempt: 3, durability: 'none' });
    expect(decision).toEqual({ to: 'cancelled' });
  });

  it('fails it when its code broke the protocol, since it would again', () => {
    const cause = { kind: 'frame-invalid', detail: 'not JSON' } as const;
    expect(afterDeath({ ...facts, cause })).toMatchObject({ to: 'failed', error: { code: 'frame-invalid' } });
  });
});
