export {
  crashActions,
  crashSignals,
  formatAction,
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
export { brokenInvariants, invariants, missedPoints } from './invariants.ts';
export type { CrashFacts } from './invariants.ts';
export { killTargets, planMatrix, sampleCases } from './matrix-plan.ts';
export type { KillTarget, MatrixCase } from './matrix-plan.ts';
