import { describe, expect, it } from 'vitest';
import { pointText } from '../../renderer/dialogs/point-text.ts';
import {
  crashActions,
  formatCrashPoint,
  operationPhases,
  parseCrashPoint,
  runPhases,
} from '../../runtime/crash/index.ts';

describe('pointText', () => {
  it('writes every point that can be picked in its usual form', () => {
    for (const phase of Object.keys(operationPhases)) {
      for (const action of crashActions) {
        for (const [occurrence, afterMs] of [
          [1, ''],
          [3, '50'],
        ] as const) {
          const text = pointText({ operation: 'create-order', occurrence, phase, afterMs, action });
          expect(formatCrashPoint(parseCrashPoint(text))).toBe(text);
        }
      }
    }
    for (const phase of Object.keys(runPhases)) {
      const text = pointText({ operation: 'run', occurrence: 1, phase, afterMs: '500', action: 'SIGKILL' });
      expect(formatCrashPoint(parseCrashPoint(text))).toBe(text);
    }
  });

  it('gives a time to the phase during alone', () => {
    const picked = { operation: 'reserve', occurrence: 1, afterMs: '20', action: 'SIGKILL' };
    expect(pointText({ ...picked, phase: 'after-intent' })).toBe('reserve@after-intent');
    expect(pointText({ ...picked, phase: 'during' })).toBe('reserve@during+20');
  });
});
