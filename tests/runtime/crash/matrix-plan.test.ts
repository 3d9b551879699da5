import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import { parseCrashPoint, planMatrix, sampleCases } from '../../../runtime/crash/index.ts';

const id = (text: string): OperationId => text as OperationId;
const names = (...golden: Parameters<typeof planMatrix>[0]): string[] =>
  planMatrix(golden, 'relay').map(({ name }) => name);

describe('the plan of a matrix', () => {
  it('kills a step at its five phases and at its reuse, and the run at its own', () => {
    expect(names({ id: id('0'), kind: 'step', failedTries: 0 })).toEqual([
      ...['0@before-intent', '0@after-intent', '0@during', '0@before-checkpoint', '0@after-checkpoint'],
      ...['0@after-checkpoint, 0@at-reuse', 'run@at-start', 'run@before-result', 'run@after-result'],
    ]);
  });

  it('kills between two tries where a try failed', () => {
    expect(names({ id: id('3.0'), kind: 'step', failedTries: 2 })).toContain('3.0@between-tries');
  });

  it('does not kill in the middle of what has no body', () => {
    expect(names({ id: id('2'), kind: 'sleep', failedTries: 0 })).not.toContain('2@during');
  });

  it.each(['host', 'both'] as const)('names the host where it dies: %s', (target) => {
    const [first] = planMatrix([{ id: id('0'), kind: 'step', failedTries: 0 }], target);
    expect(first?.name).toBe(`0@before-intent=${target}`);
  });

  it('holds points that can be planned, and no case twice', () => {
    const cases = planMatrix(
      ['0', '1', '1.0'].map((text) => ({ id: id(text), kind: 'step', failedTries: 1 })),
      'both',
    );
    for (const { plans } of cases) for (const point of plans.flat()) parseCrashPoint(point);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});

describe('a sample of cases', () => {
  const all = Array.from({ length: 50 }, (_, n) => n);

  it('is the same for the same seed, in order, without repeats', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 80 }), (seed, count) => {
        const taken = sampleCases(all, count, seed);
        expect(taken).toEqual(sampleCases(all, count, seed));
        expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
        expect(taken.length).toBe(Math.min(count, all.length));
      }),
    );
  });

  it('is another one for another seed', () => {
    expect(sampleCases(all, 10, 1)).not.toEqual(sampleCases(all, 10, 2));
  });
});
