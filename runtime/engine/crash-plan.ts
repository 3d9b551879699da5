import { formatCrashPoint, type CrashPoint } from '../crash/index.ts';

export function armedPlan(plan: readonly CrashPoint[]): { point: string; state: 'armed' }[] {
  return plan.map((point) => ({ point: formatCrashPoint(point), state: 'armed' }));
}
