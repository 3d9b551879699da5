export { crashSignals, formatCrashPoint, operationPhases, parseCrashPoint, runPhases } from './crash-point.ts';
export type { CrashAction, CrashPoint, OperationPhase, RunPhase } from './crash-point.ts';
export { watchCrashPoints } from './crash-watch.ts';
export type { CrashWatch, PlannedPoint } from './crash-watch.ts';
