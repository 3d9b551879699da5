import { describe, expect, it } from 'vitest';
import type { Attempt, EventType, LabEvent, Operation, Run, ServiceRecord } from '../../../runtime/contract/index.ts';
import type { Json, OperationId } from '../../../runtime/core/index.ts';
import { brokenInvariants, invariants, missedPoints, type CrashFacts } from '../../../runtime/crash/index.ts';

type Step = readonly [type: EventType, operation: string | null, data?: Json, attempt?: number];

/** Killed in its first attempt after operation 0, recovered, ended. */
const history: readonly Step[] = [
  ['run.created', null],
  ['run.claimed', null, { revision: 2 }, 1],
  ['operation.intended', '0'],
  ['operation.checkpointed', '0', { ok: true }],
  ['attempt.ended', null, null, 1],
  ['run.moved', null, { revision: 3, to: 'interrupted' }],
  ['run.moved', null, { revision: 4, to: 'queued' }],
  ['run.claimed', null, { revision: 5 }, 2],
  ['operation.reused', '0'],
  ['operation.intended', '1'],
  ['operation.checkpointed', '1', { ok: true }],
  ['run.moved', null, { revision: 6, to: 'succeeded' }],
  ['attempt.ended', null, null, 2],
];

const event = ([type, operation, data = null, attempt = 1]: Step, place: number): LabEvent => ({
  ...{ run: 'r', sequence: place + 1, at: place, type, attempt, data },
  operation: operation as OperationId | null,
});
const operation = (id: string, repeatable: boolean): Operation => ({
  ...{ run: 'r', id: id as OperationId, kind: 'step', name: `step ${id}`, state: 'checkpointed', uncertain: false },
  ...{ repeatable, arguments: null, outcome: null, attempt: 1, bodies: 1, source: null, intendedAt: 1 },
  checkpointedAt: 2,
});
const record = (id: number, reference: string): ServiceRecord => ({
  ...{ service: 'order-service', id, at: 1, path: '/orders', reference, outcome: 'created', effect: true },
  operation: '1' as OperationId,
});
const attempt = (number: number): Attempt => ({
  ...{ run: 'r', number, epoch: number, process: null, startedAt: 1, endedAt: 2, cause: null, reused: 0 },
  crashPlan: number === 1 ? [{ point: '0@after-checkpoint', state: 'fired' }] : [],
});

const sound: CrashFacts = {
  run: {
    ...{ id: 'r', state: 'succeeded', revision: 6, result: { total: 5, of: 'x' }, attempts: 2, attemptBudget: 3 },
    lastSequence: history.length,
  } as unknown as Run,
  attempts: [attempt(1), attempt(2)],
  operations: [operation('0', true), operation('1', false)],
  events: history.map(event),
  records: [record(1, 'r:1')],
  living: [],
};

const withHistory = (steps: readonly Step[]): CrashFacts => ({
  ...sound,
  events: steps.map(event),
  run: { ...sound.run, lastSequence: steps.length },
});
const withStep = (place: number, ...steps: readonly Step[]): CrashFacts =>
  withHistory([...history.slice(0, place), ...steps, ...history.slice(place)]);

/** By invariant, what a lab would show that broke its guarantee. */
const mutations: Readonly<Record<string, CrashFacts>> = {
  'the result is that of the run without a crash': { ...sound, run: { ...sound.run, result: { total: 6, of: 'x' } } },
  'no body is begun again after its checkpoint': withStep(9, ['operation.intended', '0']),
  'what was checkpointed stays as it was': { ...sound, operations: sound.operations.slice(1) },
  'an effect under one key happens once': { ...sound, records: [record(1, 'r:1'), record(2, 'r:1')] },
  'the world holds the effects of one run': { ...sound, records: [] },
  'an uncertain operation waits for a decision': withStep(10, ['operation.intended', '1']),
  'one executor at a time': withHistory(history.filter((_, place) => place !== 4)),
  'nothing follows the end': withStep(12, ['operation.intended', '2']),
  'attempts stay within the budget': { ...sound, run: { ...sound.run, attemptBudget: 1 } },
  'sequence numbers have no gap': { ...sound, events: sound.events.filter((_, place) => place !== 8) },
  'revisions rise by one': { ...sound, run: { ...sound.run, revision: 7 } },
  'no process is left': { ...sound, living: [4711] },
};

describe('an invariant', () => {
  it('holds of a run that was killed and recovered as it should be', () => {
    expect(brokenInvariants(sound, sound)).toEqual([]);
  });

  it('is one of those with a mutation below, and each has one', () => {
    expect(Object.keys(mutations)).toEqual(invariants.map(({ name }) => name));
  });

  it.each(Object.entries(mutations))('breaks when its guarantee does: %s', (name, facts) => {
    expect(brokenInvariants(facts, sound).map(({ invariant }) => invariant)).toContain(name);
  });

  it('does not mind the order of keys in a result', () => {
    const turned = { ...sound, run: { ...sound.run, result: { of: 'x', total: 5 } } };
    expect(brokenInvariants(turned, sound)).toEqual([]);
  });

  it('lets an uncertain operation begin again once it was decided', () => {
    const decided = withStep(10, ['operation.decided', '1', { revision: 6 }], ['operation.intended', '1']);
    expect(brokenInvariants(decided, sound).map(({ invariant }) => invariant)).toEqual(['revisions rise by one']);
  });
});

describe('a case', () => {
  it('is void when a point of it did not fire', () => {
    expect(missedPoints(sound)).toEqual([]);
    expect(
      missedPoints({ attempts: [{ ...attempt(1), crashPlan: [{ point: '9@during', state: 'missed' }] }] }),
    ).toEqual(['9@during']);
  });
});
