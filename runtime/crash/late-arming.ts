import type { OperationId } from '../core/index.ts';
import type { CrashPoint, RunPhase } from './crash-point.ts';

/** Where a living attempt stands with an operation that history or the attempt itself knows. */
export type OperationPlace = {
  readonly id: OperationId;
  readonly name: string;
} & (
  | { readonly is: 'at-work' }
  /** `here`: in the living attempt, and not in an earlier one. */
  | { readonly is: 'checkpointed'; readonly here: boolean }
  /** An earlier attempt left it open, and this one has not come to it. */
  | { readonly is: 'ahead' }
);

export interface AttemptPlace {
  /** Phases of the run that the attempt has passed. */
  readonly passed: ReadonlySet<RunPhase>;
  /** The operation that the point names, or the outermost checkpointed one that it would be in; null when none is known. */
  readonly operation: OperationPlace | null;
}

/**
 * Why a living attempt can no longer hit a point, in words; null when nothing that is known speaks against it. A point
 * of phase `during` with a time, armed when the run or the body is at work already, counts its time from the arming.
 */
export function whyPassed(point: CrashPoint, { passed, operation }: AttemptPlace): string | null {
  if (point.on === 'run') return passed.has(point.phase) ? `the attempt has passed run@${point.phase}` : null;
  if (passed.has('before-result')) return 'the relay has returned: no operation follows';
  if (operation === null || operation.is === 'ahead') return null;
  const who = `operation ${operation.id} (${operation.name})`;
  if (operation.is === 'checkpointed') {
    if (operation.here) return `${who} is checkpointed already`;
    return point.phase === 'at-reuse'
      ? null
      : `${who} was checkpointed by an earlier attempt: its body is not run again`;
  }
  switch (point.phase) {
    case 'before-intent':
    case 'after-intent':
      return `${who} is at work already`;
    case 'at-reuse':
      return `${who} is at work: it is not reused in this attempt`;
    case 'during':
    case 'between-tries':
    case 'before-checkpoint':
    case 'after-checkpoint':
      return null;
  }
}
