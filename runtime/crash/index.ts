export {
  crashActions,
  crashSignals,
  formatCrashPoint,
  operationPhases,
  parseCrashPoint,
  runPhases,
} from './crash-point.ts';
export type { CrashPoint, OperationPhase, RunPhase } from './crash-point.ts';
export { watchCrashPoints } from './crash-watch.ts';
export type { PlannedPoint } from './crash-watch.ts';
export { whyPassed } from './late-arming.ts';
export type { OperationPlace } from './late-arming.ts';
