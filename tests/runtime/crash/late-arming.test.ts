import { describe, expect, it } from 'vitest';
import { childId } from '../../../runtime/core/index.ts';
import {
  operationPhases,
  parseCrashPoint,
  watchCrashPoints,
  whyPassed,
  type OperationPhase,
  type OperationPlace,
} from '../../../runtime/crash/index.ts';

const at = (n: number, name: string) => ({ id: childId(null, n), name });
const phases = Object.keys(operationPhases) as OperationPhase[];
/** The phases that can still be hit in an operation that stands there. */
function open(place: OperationPlace | null): OperationPhase[] {
  return phases.filter(
    (phase) => whyPassed(parseCrashPoint(`pay@${phase}`), { passed: new Set(['at-start']), operation: place }) === null,
  );
}

describe('a point for an attempt that is under way', () => {
  it('can be any phase of an operation that is to come', () => {
    expect(open(null)).toEqual(phases);
    expect(open({ ...at(1, 'pay'), is: 'ahead' })).toEqual(phases);
  });

  it('can be what is left of an operation that is at work', () => {
    const left = ['during', 'between-tries', 'before-checkpoint', 'after-checkpoint'];
    expect(open({ ...at(1, 'pay'), is: 'at-work' })).toEqual(left);
  });

  it('can be the reuse of an operation that an earlier attempt checkpointed, and nothing of one that this one did', () => {
    expect(open({ ...at(1, 'pay'), is: 'checkpointed', here: false })).toEqual(['at-reuse']);
    expect(open({ ...at(1, 'pay'), is: 'checkpointed', here: true })).toEqual([]);
  });

  it('can be a phase of the run that was not passed, and no operation once the relay has returned', () => {
    const why = (text: string) =>
      whyPassed(parseCrashPoint(text), { passed: new Set(['at-start', 'before-result']), operation: null });
    expect(why('run@at-start')).toBe('the attempt has passed run@at-start');
    expect(why('run@before-result')).toBe('the attempt has passed run@before-result');
    expect(why('run@after-result')).toBeNull();
    expect(why('run@during+5')).toBeNull();
    expect(why('pay@after-intent')).toContain('returned');
  });
});

describe('the watch over an attempt that is armed late', () => {
  it('counts occurrences on from what was begun before anything was planned', () => {
    const watch = watchCrashPoints([]);
    expect(watch.atOperation('before-intent', at(0, 'pay'))).toBeNull();
    watch.arm({ index: 4, point: parseCrashPoint('pay#3@before-intent') }, [at(0, 'pay'), at(1, 'ship'), at(2, 'pay')]);
    expect(watch.idle).toBe(false);
    expect(watch.atOperation('before-intent', at(2, 'pay'))).toBeNull();
    expect(watch.atOperation('before-intent', at(3, 'pay'))?.index).toBe(4);
  });

  it('does not count again what it has counted itself', () => {
    const watch = watchCrashPoints([parseCrashPoint('nowhere@during')]);
    watch.atOperation('before-intent', at(0, 'pay'));
    watch.arm({ index: 1, point: parseCrashPoint('pay#2@after-intent') }, [at(0, 'pay')]);
    expect(watch.atOperation('after-intent', at(1, 'pay'))?.index).toBe(1);
  });

  it('gives a point back once, and not after it was hit', () => {
    const watch = watchCrashPoints([parseCrashPoint('pay@after-intent'), parseCrashPoint('ship@after-intent')]);
    expect(watch.disarm(0)).toBe(true);
    expect(watch.disarm(0)).toBe(false);
    expect(watch.atOperation('after-intent', at(0, 'pay'))).toBeNull();
    expect(watch.atOperation('after-intent', at(1, 'ship'))?.index).toBe(1);
    expect(watch.disarm(1)).toBe(false);
  });
});
