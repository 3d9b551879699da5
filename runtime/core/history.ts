import type { OperationId } from './operation-id.ts';
import type { Outcome } from './outcome.ts';

/** Kinds of operations (DESIGN.md section 1). Streams are kept as `event`; `now` and `randomUUID` as `step`. */
export const operationKinds = [
  'step',
  'agent',
  'mcp',
  'tool',
  'sleep',
  'ask',
  'send',
  'recv',
  'event',
  'child',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** `intended`: the intent is durable, the result is not. `checkpointed`: the result, or the error, is durable. */
export const operationStates = ['intended', 'checkpointed'] as const;
type OperationState = (typeof operationStates)[number];

/** What replay needs to know of one recorded operation. */
export interface HistoryEntry {
  readonly id: OperationId;
  readonly kind: OperationKind;
  readonly name: string;
  /** Serialised arguments; null when there are none to compare. */
  readonly arguments: string | null;
  /** A death between intent and checkpoint is met by running the body again; otherwise it leaves it uncertain. */
  readonly repeatable: boolean;
  readonly state: OperationState;
  /** Null while only intended. */
  readonly outcome: Outcome | null;
}

export type OperationRequest = Pick<HistoryEntry, 'id' | 'kind' | 'name' | 'arguments'>;

export type ReplayDecision =
  | { readonly kind: 'start' }
  | { readonly kind: 'reuse'; readonly outcome: Outcome; readonly diverged: boolean }
  | { readonly kind: 'rerun'; readonly recorded: HistoryEntry }
  | { readonly kind: 'mismatch'; readonly expected: HistoryEntry; readonly part: 'kind' | 'name' | 'arguments' };

/**
 * What to do with the operation that a relay asks for, given what history holds at its place. `strictArguments` is set
 * for operations nested in a step, whose arguments must be the recorded ones (DESIGN.md section 5); elsewhere other
 * arguments are a divergence, which is reported and no error.
 */
export function replay(
  recorded: HistoryEntry | undefined,
  request: OperationRequest,
  strictArguments: boolean,
): ReplayDecision {
  if (recorded === undefined) return { kind: 'start' };
  if (recorded.kind !== request.kind) return { kind: 'mismatch', expected: recorded, part: 'kind' };
  if (recorded.name !== request.name) return { kind: 'mismatch', expected: recorded, part: 'name' };
  const diverged = recorded.arguments !== request.arguments;
  if (diverged && strictArguments) return { kind: 'mismatch', expected: recorded, part: 'arguments' };
  return recorded.outcome === null
    ? { kind: 'rerun', recorded }
    : { kind: 'reuse', outcome: recorded.outcome, diverged };
}
