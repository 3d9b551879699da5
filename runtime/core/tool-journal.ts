import { LabError, type WireError } from './errors.ts';
import { canonicalJson, type Json } from './json.ts';
import type { OperationId } from './operation-id.ts';
import type { Outcome } from './outcome.ts';

/** One tool call of an agent with `recovery: "restart"`, as its journal holds it: an operation nested in the agent's. */
export interface JournaledCall {
  readonly id: OperationId;
  readonly name: string;
  /** Canonical JSON of the arguments that the agent chose. */
  readonly arguments: string;
  /** Left pending by a death it is settled by its `recover` callback; otherwise by a person's decision. */
  readonly recoverable: boolean;
  /** Null while it is pending. */
  readonly outcome: Outcome | null;
}

/** What tells one call of an agent from another: the tool, and its arguments whatever the order of their keys. */
export function toolCallIdentity(name: string, args: Json): string {
  return canonicalJson([name, args]);
}

/**
 * What has to happen to the calls that a death left pending before their agent may start again: `ask` those whose
 * callback can tell what became of them, and run `again` those that a person freed. Nothing else can be pending then:
 * a run does not recover before each of the others is decided.
 */
export function pendingCalls<Call extends JournaledCall>(
  calls: readonly Call[],
): { readonly ask: readonly Call[]; readonly again: readonly Call[] } {
  const pending = calls.filter(({ outcome }) => outcome === null);
  return {
    ask: pending.filter(({ recoverable }) => recoverable),
    again: pending.filter(({ recoverable }) => !recoverable),
  };
}

/**
 * The error that an agent ends with when a journaled tool failed. The model is not told, so that it cannot work around
 * an action of which nobody knows how far it came; the code that called the agent can catch it.
 */
export function toolFailure(agent: string, tool: string, { name, message, code }: WireError): LabError {
  return new LabError(
    'platform-failed',
    `the tool ${tool} of agent ${agent} failed, which ends the agent: ${name}: ${message}`,
    'Find out what the tool did before it failed; the agent was not told of it.',
    { agent, tool, reason: 'tool-error', error: { name, message, code } },
  );
}
