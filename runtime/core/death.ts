import type { EpochMs } from './clock.ts';
import { LabError } from './errors.ts';
import type { RunState } from './run-state.ts';
import type { OperationId } from './operation-id.ts';

/** Why a process of a run is gone. The first cause wins. */
export type EndCause =
  | { readonly kind: 'finished' }
  | { readonly kind: 'crash-point'; readonly point: string; readonly signal: string }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'could-not-start'; readonly detail: string }
  | { readonly kind: 'frame-invalid'; readonly detail: string }
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'grace-over' }
  | { readonly kind: 'deadline' }
  /** Pending tool calls of an agent could not be settled without a person. `detail` says which and why. */
  | { readonly kind: 'unsettled'; readonly detail: string }
  | { readonly kind: 'ledger-lost'; readonly detail: string }
  | { readonly kind: 'host-gone' };

/** A cause of death in one sentence. */
export function describeEnd(cause: EndCause): string {
  switch (cause.kind) {
    case 'finished':
      return 'it finished';
    case 'crash-point':
      return `${cause.signal} at the crash point ${cause.point}`;
    case 'signal':
      return `it was ended by ${cause.signal}`;
    case 'exit':
      return cause.code === 0
        ? 'it exited with code 0 without returning a result (process.exit() was called, or a promise never settled)'
        : `it exited with code ${cause.code} without returning a result`;
    case 'could-not-start':
      return `it could not start: ${cause.detail}`;
    case 'frame-invalid':
      return `it broke the protocol: ${cause.detail}`;
    case 'killed':
      return `it was killed by ${cause.by}`;
    case 'cancelled':
      return 'the run was cancelled';
    case 'grace-over':
      return 'it did not stop within the grace time after cancel and was killed';
    case 'deadline':
      return "the run's deadline passed and it was killed";
    case 'unsettled':
      return `it was ended, because ${cause.detail}`;
    case 'ledger-lost':
      return `the ledger could not be written: ${cause.detail}`;
    case 'host-gone':
      return 'its host was gone';
  }
}

export interface DeathFacts {
  readonly state: RunState;
  readonly cause: EndCause;
  readonly attempt: number;
  readonly attemptBudget: number;
  readonly deadlineAt: EpochMs | null;
  readonly now: EpochMs;
  /** `none`: a dead process ends the run. */
  readonly durability: 'dbos' | 'none';
  readonly uncertain: readonly OperationId[];
}

export type DeathDecision =
  | { readonly to: 'cancelled' }
  | { readonly to: 'failed'; readonly error: LabError }
  | { readonly to: 'needs_reconciliation'; readonly reason: string }
  | { readonly to: 'interrupted'; readonly reason: string };

/**
 * What becomes of a run whose process is gone without a result (guarantees 3 and 5, section 4). A process that broke
 * the protocol did so by its own code and would again: that is terminal, as an error is.
 */
export function afterDeath(facts: DeathFacts): DeathDecision {
  const how = describeEnd(facts.cause);
  if (facts.state === 'cancel_requested') return { to: 'cancelled' };
  if (facts.cause.kind === 'frame-invalid') return failed('frame-invalid', `the relay's process was ended: ${how}`);
  if (facts.durability === 'none') {
    return failed('process-gone', `the relay's process is gone (${how}) and relay_durability is "none"`);
  }
  if (facts.cause.kind === 'deadline' || (facts.deadlineAt !== null && facts.now >= facts.deadlineAt)) {
    return failed('deadline-passed', `the run's deadline passed; its last process is gone: ${how}`);
  }
  if (facts.attempt >= facts.attemptBudget) {
    const left = facts.uncertain.length === 0 ? '' : `; left uncertain: operation ${facts.uncertain.join(', ')}`;
    return failed(
      'budget-spent',
      `the attempt budget of ${facts.attemptBudget} is spent: attempt ${facts.attempt} is gone too, ${how}${left}`,
    );
  }
  if (facts.uncertain.length > 0) {
    return {
      to: 'needs_reconciliation',
      reason: `operation ${facts.uncertain.join(', ')} may or may not have happened when the process was gone: ${how}`,
    };
  }
  return { to: 'interrupted', reason: `the process is gone: ${how}` };
}

function failed(
  code: 'process-gone' | 'frame-invalid' | 'deadline-passed' | 'budget-spent',
  message: string,
): DeathDecision {
  return { to: 'failed', error: new LabError(code, message, 'Fork the run to go on from a chosen operation.') };
}
