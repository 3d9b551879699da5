import { parseOperationId, type OperationId } from '../../runtime/core/index.ts';

/**
 * A request's reference is the text by which its sender knows it again: the `Idempotency-Key` of an order, the
 * `Request-Reference` of an audit line, the `orderRef` of a reservation. Relays build it from their run's id, and when they like
 * also the operation's: `RUN` or `RUN:OPERATION`, with other parts before or behind, all divided by colons.
 */
export interface Subject {
  readonly run: string;
  /** Null for any of the run. */
  readonly operation: string | null;
}

/** What a reference says of a run: the operation that it names, or null for none. Null when it is not of this run. */
export function operationOf(reference: string | null, run: string): { readonly operation: OperationId | null } | null {
  const parts = reference?.split(':') ?? [];
  const at = parts.indexOf(run);
  return at === -1 ? null : { operation: parseOperationId(parts[at + 1] ?? '') };
}

/** Whether a reference names the run and, where both name one, the same operation. A request without one never does. */
export function belongsTo(reference: string | null, { run, operation }: Subject): boolean {
  const named = operationOf(reference, run);
  if (named === null) return false;
  return operation === null || named.operation === null || named.operation === operation;
}
