import type { Handlers } from '../runtime/contract/index.ts';
import { asLabError } from '../runtime/core/index.ts';
import { crashActions, formatCrashPoint, operationPhases, parseCrashPoint, runPhases } from '../runtime/crash/index.ts';

/** Where a process can be ended, and whether a text says so. Needs no lab. */
export const crashHandlers: Pick<Handlers, 'crash/phases' | 'crash/check'> = {
  'crash/phases': () =>
    Promise.resolve({
      operation: phasesOf(operationPhases),
      run: phasesOf(runPhases),
      actions: [...crashActions],
    }),
  'crash/check': ({ points }) => Promise.resolve(points.map(checked)),
};

function phasesOf(phases: Readonly<Record<string, string>>): { phase: string; onDisk: string }[] {
  return Object.entries(phases).map(([phase, onDisk]) => ({ phase, onDisk }));
}

function checked(point: string): { point: string; problem: string | null } {
  try {
    return { point: formatCrashPoint(parseCrashPoint(point)), problem: null };
  } catch (thrown) {
    const { message, next } = asLabError(thrown);
    return { point, problem: next === '' ? message : `${message}. ${next}` };
  }
}
