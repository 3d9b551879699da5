import type { ToChild } from '../contract/index.ts';
import type { OperationId, Outcome } from '../core/index.ts';
import { LabError } from '../core/index.ts';
import { numberOf } from './identity.ts';
import { currentScope, inScope, type Scope } from './scope.ts';
import { theSession } from './session.ts';
import { keepThrown } from './thrown.ts';
import type { Tool } from './tool.ts';
import { toJson } from './values.ts';

interface Offer {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Of the code that called the agent. */
  readonly caller: Scope;
}

const offers = new Map<OperationId, Offer>();

/** Lets the host call these tools for the agent of operation `id`, until the function that it gives is called. */
export function offerTools(id: OperationId, tools: readonly Tool[]): () => void {
  const caller = currentScope();
  if (caller === undefined || tools.length === 0) return () => undefined;
  offers.set(id, { caller, tools: new Map(tools.map((one) => [one.name, one])) });
  return () => offers.delete(id);
}

/** Runs a tool's function and answers with its result, or with what it threw. Never rejects. */
export async function answerToolCall({
  call,
  id,
  name,
  arguments: text,
}: Extract<ToChild, { tag: 'tool' }>): Promise<void> {
  const session = theSession();
  try {
    session.send({ tag: 'tool-result', call, outcome: await outcomeOf(id, name, text) });
  } catch (tooLarge) {
    session.send({ tag: 'tool-result', call, outcome: { ok: false, error: keepThrown(tooLarge) } });
  }
}

async function outcomeOf(id: OperationId, name: string, text: string): Promise<Outcome> {
  try {
    const offer = offers.get(id);
    const tool = offer?.tools.get(name);
    if (offer === undefined || tool === undefined)
      throw new LabError('not-found', `operation ${id} has no tool "${name}"`);
    const result = await inScope(toolScope(offer.caller, id), () =>
      Promise.try(() => tool.run(JSON.parse(text) as never)),
    );
    return { ok: true, value: JSON.stringify(toJson(result, `the result of tool "${name}"`)) };
  } catch (thrown) {
    return { ok: false, error: keepThrown(thrown) };
  }
}

function toolScope(caller: Scope, id: OperationId): Scope {
  const step = caller.step ?? {
    stepID: numberOf(id),
    currentAttempt: undefined,
    maxAttempts: undefined,
    timeoutSignal: undefined,
    cancelSignal: caller.workflow.cancellation.signal,
  };
  return { ...caller, kind: 'tool', operation: id, numbers: { next: 0 }, life: { over: false }, step };
}
