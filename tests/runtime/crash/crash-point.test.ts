import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childId } from '../../../runtime/core/index.ts';
import {
  crashSignals,
  formatCrashPoint,
  operationPhases,
  parseCrashPoint,
  runPhases,
  watchCrashPoints,
  type CrashPoint,
  type OperationPhase,
  type RunPhase,
} from '../../../runtime/crash/index.ts';

const action = fc.oneof(
  fc.constantFrom(...crashSignals).map((signal) => ({ kind: 'signal' as const, signal })),
  fc.integer({ min: 0, max: 255 }).map((code) => ({ kind: 'exit' as const, code })),
  fc.boolean().map((relayToo) => ({ kind: 'host' as const, relayToo })),
);
const afterMs = (phase: string): fc.Arbitrary<number | null> =>
  phase === 'during' ? fc.option(fc.nat(100_000)) : fc.constant(null);
const name = fc.stringMatching(/^[a-z][a-z0-9 ._@#-]{0,12}[a-z]$/).filter((text) => text !== 'run');
const onOperation: fc.Arbitrary<CrashPoint> = fc
  .constantFrom(...(Object.keys(operationPhases) as OperationPhase[]))
  .chain((phase) =>
    fc.record({
      on: fc.constant('operation' as const),
      operation: fc.oneof(
        fc.record({ name, occurrence: fc.integer({ min: 1, max: 99 }) }),
        fc.nat(50).map((n) => ({ id: childId(null, n) })),
      ),
      phase: fc.constant(phase),
      afterMs: afterMs(phase),
      action,
    }),
  );
const onRun: fc.Arbitrary<CrashPoint> = fc.constantFrom(...(Object.keys(runPhases) as RunPhase[])).chain((phase) =>
  fc.record({
    on: fc.constant('run' as const),
    phase: fc.constant(phase),
    afterMs: phase === 'during' ? fc.nat(100_000) : fc.constant(null),
    action,
  }),
);

describe('crash point text', () => {
  it('parses back to the same point', () => {
    fc.assert(
      fc.property(fc.oneof(onOperation, onRun), (point) => {
        expect(parseCrashPoint(formatCrashPoint(point))).toEqual(point);
      }),
    );
  });

  it('reads the forms of the command line', () => {
    expect(parseCrashPoint('create-order#2@during+50')).toEqual({
      on: 'operation',
      operation: { name: 'create-order', occurrence: 2 },
      phase: 'during',
      afterMs: 50,
      action: { kind: 'signal', signal: 'SIGKILL' },
    });
    expect(parseCrashPoint('run@at-start=host').action).toEqual({ kind: 'host', relayToo: false });
    expect(parseCrashPoint('reserve@during=both').action).toEqual({ kind: 'host', relayToo: true });
    expect(parseCrashPoint('run@at-start=exit:3')).toMatchObject({ on: 'run', phase: 'at-start', action: { code: 3 } });
    expect(parseCrashPoint('3.0@after-intent')).toMatchObject({ operation: { id: '3.0' } });
  });

  it.each([
    ['reserve', 'OPERATION[#N]@PHASE'],
    ['reserve@later', '"later" is none of before-intent'],
    ['run@later', '"later" is none of at-start'],
    ['reserve#0@during', 'count from 1'],
    ['reserve@after-checkpoint+5', 'only the phase during'],
    ['run@during', 'needs a time'],
    ['reserve@during+99999999999999999999', 'over 3600000 milliseconds'],
    ['reserve@during=SIGABRT', '"SIGABRT" is none of SIGKILL'],
    ['reserve@during=exit:256', 'exit:255'],
  ])('refuses %s and says why', (text, why) => {
    expect(() => parseCrashPoint(text)).toThrow(why);
  });
});

describe('the watch over an attempt', () => {
  const at = (n: number, operation: string) => ({ id: childId(null, n), name: operation });

  it('hits the named occurrence only, and once', () => {
    const watch = watchCrashPoints([parseCrashPoint('pay#2@after-intent')]);
    expect(watch.atOperation('after-intent', at(0, 'pay'))).toBeNull();
    expect(watch.atOperation('before-intent', at(1, 'pay'))).toBeNull();
    expect(watch.atOperation('after-intent', at(1, 'pay'))?.index).toBe(0);
    expect(watch.atOperation('after-intent', at(1, 'pay'))).toBeNull();
    expect(watch.idle).toBe(true);
  });

  it('counts an operation once however many phases it passes', () => {
    const watch = watchCrashPoints([parseCrashPoint('pay#2@before-checkpoint')]);
    for (const phase of ['before-intent', 'after-intent', 'before-checkpoint'] as const) {
      expect(watch.atOperation(phase, at(0, 'pay'))).toBeNull();
    }
    expect(watch.atOperation('before-checkpoint', at(4, 'pay'))?.index).toBe(0);
  });

  it('makes bodies wait for their intents exactly when a point stands at an operation', () => {
    const waits = (text: string): boolean => watchCrashPoints([parseCrashPoint(text)]).waitForIntents;
    expect(['a@before-intent', 'a@after-intent', 'a@during+5', 'a@at-reuse'].map(waits)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['run@at-start', 'run@before-result'].map(waits)).toEqual([false, false]);
  });
});
