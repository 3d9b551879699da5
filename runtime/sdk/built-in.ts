import { childId } from '../core/index.ts';
import { identify } from './identity.ts';
import { operate } from './operation.ts';
import { pauseUntil } from './pause.ts';
import { currentScope } from './scope.ts';
import { DBOSError, DBOSInvalidWorkflowTransitionError } from './dbos-errors.ts';
import { theSession } from './session.ts';
import { decode, encode } from './values.ts';

/**
 * A call of the facade whose result would differ from one attempt to the next: in a workflow it is recorded as a step
 * of that name, elsewhere it is a plain call.
 */
export async function recorded<Value>(
  name: string,
  args: readonly unknown[],
  body: () => Value | Promise<Value>,
): Promise<Value> {
  if (currentScope()?.kind !== 'workflow') return body();
  const given = args.length === 0 ? null : identify(encode(args, 'arguments'));
  return (await operate({ kind: 'step', name, arguments: given, repeatable: true, wait: false, body })) as Value;
}

interface SleepArguments {
  readonly ms: number;
  /** The end of the first attempt's sleep: a later attempt sleeps only what is left of it. */
  readonly until: number;
}

/** Milliseconds. In a workflow the end of the sleep is durable. */
export async function sleep(ms: number): Promise<void> {
  if (!Number.isFinite(ms)) throw new DBOSError('sleep duration must be a finite number of milliseconds');
  const scope = currentScope();
  if (scope?.kind !== 'workflow') return pauseUntil(Date.now() + ms, scope?.workflow.cancellation.signal ?? null);
  let until = Date.now() + ms;
  await operate({
    kind: 'sleep',
    name: 'DBOS.sleep',
    arguments: (entry) => {
      if (entry !== undefined) until = (decode(entry.arguments ?? '') as SleepArguments).until;
      return encode({ ms, until } satisfies SleepArguments, 'arguments');
    },
    repeatable: true,
    wait: true,
    body: () => pauseUntil(until, scope.workflow.cancellation.signal),
  });
}

/** Whether this run is under the changed code: an operation marks a run that passes here for the first time. */
export async function patch(name: string): Promise<boolean> {
  const scope = currentScope();
  if (scope?.kind !== 'workflow') {
    throw new DBOSInvalidWorkflowTransitionError('`DBOS.patch` must be called from a workflow, and not within a step');
  }
  const mark = `DBOS.patch-${name}`;
  const entry = theSession().history.get(childId(scope.operation, scope.numbers.next));
  // A run from before the change: its next operation is the one that it always was.
  if (entry !== undefined && entry.name !== mark) return false;
  await operate({ kind: 'step', name: mark, arguments: null, repeatable: true, wait: false, body: () => null });
  return true;
}
