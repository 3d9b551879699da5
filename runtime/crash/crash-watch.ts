import type { OperationId } from '../core/index.ts';
import type { CrashPoint, OperationPhase, RunPhase } from './crash-point.ts';

export interface PlannedPoint {
  /** Its place in the attempt's plan. */
  readonly index: number;
  readonly point: CrashPoint;
}

/** Follows one attempt and says when it passes a planned point. Each point is handed out once. */
export interface CrashWatch {
  atOperation(phase: OperationPhase, operation: NamedOperation): PlannedPoint | null;
  atRun(phase: RunPhase): PlannedPoint | null;
  /**
   * A point stands at an operation, so every body waits for its durable intent: otherwise a body could have begun by the
   * time its process is killed before it.
   */
  readonly waitForIntents: boolean;
  /** Nothing is planned, or all is spent. */
  readonly idle: boolean;
  /**
   * Adds a point to an attempt that is under way. `begun` are the operations that the run has had so far, in program
   * order: a point by name and occurrence counts on from them.
   */
  arm(planned: PlannedPoint, begun: Iterable<NamedOperation>): void;
  /** Takes a point back; false when it was handed out before. */
  disarm(index: number): boolean;
}

interface NamedOperation {
  readonly id: OperationId;
  readonly name: string;
}

export function watchCrashPoints(plan: readonly CrashPoint[]): CrashWatch {
  const open = new Map(plan.map((point, index): [number, CrashPoint] => [index, point]));
  const occurrences = new Map<OperationId, number>();
  const seen = new Map<string, number>();

  function occurrenceOf(operation: NamedOperation): number {
    const known = occurrences.get(operation.id);
    if (known !== undefined) return known;
    const occurrence = (seen.get(operation.name) ?? 0) + 1;
    seen.set(operation.name, occurrence);
    occurrences.set(operation.id, occurrence);
    return occurrence;
  }

  function take(matches: (point: CrashPoint) => boolean): PlannedPoint | null {
    for (const [index, point] of open) {
      if (!matches(point)) continue;
      open.delete(index);
      return { index, point };
    }
    return null;
  }

  return {
    atOperation(phase, operation) {
      if (open.size === 0) return null;
      const occurrence = occurrenceOf(operation);
      return take(
        (point) =>
          point.on === 'operation' &&
          point.phase === phase &&
          ('id' in point.operation
            ? point.operation.id === operation.id
            : point.operation.name === operation.name && point.operation.occurrence === occurrence),
      );
    },
    atRun: (phase) => take((point) => point.on === 'run' && point.phase === phase),
    waitForIntents: plan.some((point) => point.on === 'operation'),
    get idle() {
      return open.size === 0;
    },
    arm({ index, point }, begun) {
      for (const operation of begun) occurrenceOf(operation);
      open.set(index, point);
    },
    disarm: (index) => open.delete(index),
  };
}
