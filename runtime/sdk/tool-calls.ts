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

type ToolFrame = Extract<ToChild, { tag: 'tool' }>;

/** Runs a tool's function, or its `recover`, and answers with what that gives or throws. Never rejects. */
export async function answerToolCall(frame: ToolFrame): Promise<void> {
  const session = theSession();
  const { call } = frame;
  try {
    session.send({ tag: 'tool-result', call, outcome: await outcomeOf(frame) });
  } catch (tooLarge) {
    session.send({ tag: 'tool-result', call, outcome: { ok: false, error: keepThrown(tooLarge) } });
  }
}

async function outcomeOf(frame: ToolFrame): Promise<Outcome> {
  const { id, operation, name, purpose } = frame;
  try {
    const offer = offers.get(id);
    const tool = offer?.tools.get(name);
    if (offer === undefined || tool === undefined)
      throw new LabError('not-found', `operation ${id} has no tool "${name}"`);
    const body = purpose === 'run' ? tool.run : tool.recover;
    if (body === undefined) throw new LabError('not-found', `tool "${name}" has no recover callback`);
    const result = await inScope(toolScope(offer.caller, id, operation ?? id), () =>
      Promise.try(() => body(JSON.parse(frame.arguments) as never)),
    );
    if (purpose === 'recover') checkFound(name, result);
    return { ok: true, value: JSON.stringify(toJson(result, `the result of ${purpose} of tool "${name}"`)) };
  } catch (thrown) {
    return { ok: false, error: keepThrown(thrown) };
  }
}

/** A search that found nothing gives undefined: that must not pass for the answer that the tool gave. */
function checkFound(name: string, result: unknown): void {
  if (result !== undefined) return;
  throw new LabError(
    'invalid-input',
    `the recover callback of tool "${name}" returned undefined; expected the result that the tool had given, as JSON`,
    'Throw when it cannot be found out; return null when null was the result.',
  );
}

/** `agent`: the agent's operation. `own`: the tool call's, where it has one; what the function does is nested in it. */
function toolScope(caller: Scope, agent: OperationId, own: OperationId): Scope {
  const step = caller.step ?? {
    stepID: numberOf(agent),
    currentAttempt: undefined,
    maxAttempts: undefined,
    timeoutSignal: undefined,
    cancelSignal: caller.workflow.cancellation.signal,
  };
  return { ...caller, kind: 'tool', operation: own, numbers: { next: 0 }, life: { over: false }, step };
}
