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

const operationShape = /^\d+(\.\d+)*$/;

/** Whether a reference names the run and, where both name one, the same operation. A request without one never does. */
export function belongsTo(reference: string | null, { run, operation }: Subject): boolean {
  const parts = reference?.split(':') ?? [];
  const at = parts.indexOf(run);
  if (at === -1) return false;
  const named = parts[at + 1];
  return operation === null || named === undefined || !operationShape.test(named) || named === operation;
}
