import type { Operation } from '../contract/index.ts';
import {
  canonicalJson,
  childId,
  LabError,
  limits,
  parentId,
  pendingCalls,
  toolCallIdentity,
  toolFailure,
  toWireError,
  type Json,
  type JournaledCall,
  type LedgerWrite,
  type OperationId,
  type Outcome,
} from '../core/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';
import type { EngineParts } from './engine-parts.ts';
import type { RelayTools } from './relay-tools.ts';

/** What a journal needs to know of the agent that it is for. */
export interface JournaledAgent {
  readonly id: OperationId;
  readonly name: string;
  /** The tools that the relay declares now; true for one with a `recover` callback. */
  readonly tools: ReadonlyMap<string, boolean>;
}

/** What a journal uses of its attempt. */
interface JournalContext extends Pick<AttemptContext, 'run' | 'isOver' | 'commit' | 'keep' | 'end'> {
  readonly parts: Pick<EngineParts, 'ledger' | 'clock' | 'recoverMs'>;
  readonly gate: Pick<AttemptContext['gate'], 'reach' | 'bodyStarts' | 'bodyEnds'>;
  readonly open: Pick<AttemptContext['open'], 'open' | 'close'>;
}

interface Entry extends JournaledCall {
  outcome: Outcome | null;
  /** Resolves with the outcome once that is durable. Never when the process goes before. */
  settled: Promise<Outcome>;
}

type Purpose = 'run' | 'recover';

/**
 * The journal of one agent with `recovery: "restart"`: its tool calls as operations nested in the agent's. The intent is
 * durable before a tool's function runs, the result before the model is given it; a request that was made before, in
 * this attempt or an earlier one, is answered with what was saved. DESIGN.md section 8.
 */
export class ToolJournal {
  readonly #context: JournalContext;
  readonly #agent: JournaledAgent;
  readonly #relay: RelayTools;
  /** By identity, in call order. */
  readonly #entries = new Map<string, Entry>();
  #next = 0;

  /** Reads what earlier attempts left. */
  constructor(context: JournalContext, agent: JournaledAgent, relay: RelayTools) {
    this.#context = context;
    this.#agent = agent;
    this.#relay = relay;
    for (const { id, name, arguments: args, repeatable, outcome } of this.#recorded()) {
      const text = args ?? 'null';
      const call = { id, name, arguments: text, recoverable: repeatable, outcome };
      this.#entries.set(toolCallIdentity(name, JSON.parse(text) as Json), {
        ...call,
        settled: outcome === null ? standsStill() : Promise.resolve(outcome),
      });
      this.#next = Number(id.slice(id.lastIndexOf('.') + 1)) + 1;
    }
  }

  /** What this agent's call has done so far, over all attempts, in call order. */
  calls(): readonly JournaledCall[] {
    return [...this.#entries.values()];
  }

  /**
   * Settles every call that a death left pending, before the agent starts again: by the tool's callback, or, where a
   * person decided so, by running it once more. Does not resolve when one cannot be settled: that has ended the attempt,
   * and the run waits for a person.
   */
  async settlePending(): Promise<void> {
    const { ask, again } = pendingCalls([...this.#entries.values()]);
    const unsettled: LedgerWrite[] = [];
    const reasons: string[] = [];
    for (const entry of ask) {
      const why = await this.#askRecover(entry);
      if (why === null) continue;
      reasons.push(why);
      unsettled.push({ tag: 'operation/unsettled', ...stamp(this.#context), id: entry.id, reason: why });
    }
    if (reasons.length > 0) {
      await this.#context.commit(unsettled);
      this.#context.end({ kind: 'unsettled', detail: reasons.join('; ') });
      await standsStill();
    }
    for (const entry of again) {
      entry.settled = this.#carryOut(entry);
      await entry.settled;
    }
  }

  /** The error of a tool that failed in an earlier attempt, which has ended this agent already; else null. */
  failure(): LabError | null {
    for (const { name, outcome } of this.#entries.values()) {
      if (outcome?.ok === false) return toolFailure(this.#agent.name, name, outcome.error);
    }
    return null;
  }

  /** Carries a call out, or answers with what was saved of it. Takes and gives JSON text, as the relay does. */
  async call(name: string, argumentsJson: string): Promise<Outcome> {
    const args = JSON.parse(argumentsJson) as Json;
    const identity = toolCallIdentity(name, args);
    const known = this.#entries.get(identity);
    if (known !== undefined) return this.#reuse(known);
    const entry: Entry = {
      id: childId(this.#agent.id, this.#next++),
      name,
      arguments: canonicalJson(args),
      recoverable: this.#agent.tools.get(name) === true,
      outcome: null,
      settled: standsStill(),
    };
    this.#entries.set(identity, entry);
    entry.settled = this.#carryOut(entry);
    return plain(await entry.settled);
  }

  /** Resolves when no tool is at work any more: the agent's own result comes after those of all its tools. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ settled }) => settled));
  }

  async #reuse(entry: Entry): Promise<Outcome> {
    const outcome = await entry.settled;
    if (this.#context.isOver()) return standsStill();
    this.#context.keep([
      { tag: 'operation/reused', ...stamp(this.#context), id: entry.id, diverged: false, arguments: null },
    ]);
    return this.#context.gate.reach('at-reuse', entry) ? standsStill() : plain(outcome);
  }

  async #carryOut(entry: Entry): Promise<Outcome> {
    const { gate, open } = this.#context;
    if (gate.reach('before-intent', entry)) return standsStill();
    open.open(entry);
    const { id, name, recoverable } = entry;
    const intent = {
      id,
      kind: 'tool',
      name,
      arguments: entry.arguments,
      repeatable: recoverable,
      source: null,
    } as const;
    await this.#context.commit([{ tag: 'operation/intend', ...stamp(this.#context), ...intent }]);
    if (this.#context.isOver() || gate.reach('after-intent', entry)) return standsStill();
    await gate.bodyStarts(entry);
    const begun = this.#context.parts.clock.now();
    const outcome = bounded(name, await this.#relay.call(this.#request(entry, 'run')));
    if (this.#context.isOver() || gate.bodyEnds(entry)) return standsStill();
    return this.#keep(entry, outcome, this.#receipt(entry, 'run', begun, outcome));
  }

  /** Null when the callback has settled the call; otherwise why not. */
  async #askRecover(entry: Entry): Promise<string | null> {
    const { agent, which } = { agent: this.#agent, which: `the tool ${entry.name} (operation ${entry.id})` };
    const has = agent.tools.get(entry.name);
    if (has === undefined) return `${which} was interrupted, and agent ${agent.name} has no such tool any more`;
    if (!has) return `${which} was interrupted, and it has no recover callback any more`;
    const begun = this.#context.parts.clock.now();
    const outcome = bounded(entry.name, await this.#recoverAnswer(entry));
    if (this.#context.isOver()) return standsStill();
    const receipt = this.#receipt(entry, 'recover', begun, outcome);
    if (outcome.ok) {
      entry.settled = this.#keep(entry, outcome, receipt);
      await entry.settled;
      return null;
    }
    await this.#context.commit([receipt]);
    const { name, message } = outcome.error;
    return `${which} was interrupted, and its recover callback could not tell what became of it: ${name}: ${message}`;
  }

  async #recoverAnswer(entry: Entry): Promise<Outcome> {
    const ms = this.#context.parts.recoverMs ?? limits.recoverMs;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const late = new LabError('deadline-passed', `it did not answer within ${ms} milliseconds`);
    const timer = setTimeout(() => resolve({ ok: false, error: toWireError(late) }), ms);
    try {
      return await Promise.race([this.#relay.call(this.#request(entry, 'recover')), promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes a call's outcome durable, then gives it. */
  async #keep(entry: Entry, answered: Outcome, receipt: LedgerWrite): Promise<Outcome> {
    const { gate, open } = this.#context;
    if (gate.reach('before-checkpoint', entry)) return standsStill();
    const outcome: Outcome = answered.ok ? { ok: true, value: `{"json":${answered.value}}` } : answered;
    await this.#context.commit([
      receipt,
      { tag: 'operation/checkpoint', ...stamp(this.#context), id: entry.id, outcome },
    ]);
    entry.outcome = outcome;
    open.close(entry.id);
    return this.#context.isOver() || gate.reach('after-checkpoint', entry) ? standsStill() : outcome;
  }

  #request({ id, name, arguments: args }: Entry, purpose: Purpose) {
    return { agent: this.#agent.id, operation: id, purpose, name, arguments: args };
  }

  /** The result stands in the operation; only of a callback's answer the receipt is the one record. */
  #receipt({ id, name }: Entry, purpose: Purpose, begun: number, outcome: Outcome): LedgerWrite {
    const { at, attempt } = stamp(this.#context);
    const answer: { [key: string]: Json } = outcome.ok
      ? purpose === 'recover'
        ? { result: JSON.parse(outcome.value) as Json }
        : {}
      : { error: { name: outcome.error.name, message: outcome.error.message } };
    return {
      tag: 'receipt/add',
      at,
      run: this.#context.run.id,
      attempt,
      operation: id,
      kind: 'tool',
      name: purpose === 'run' ? name : `${name} (recover)`,
      ok: outcome.ok,
      durationMs: at - begun,
      data: { agent: this.#agent.name, purpose, ...answer },
    };
  }

  #recorded(): Operation[] {
    const { parts, run } = this.#context;
    const { id: agent } = this.#agent;
    const found: Operation[] = [];
    const limit = 1000;
    for (let after = agent; ;) {
      const page = parts.ledger.operations(run.id, { after, limit });
      const nested = page.filter(({ id }) => id.startsWith(`${agent}.`));
      found.push(...nested.filter(({ id, kind }) => kind === 'tool' && parentId(id) === agent));
      if (nested.length < limit) return found;
      after = nested.at(-1)?.id ?? after;
    }
  }
}

/** The outcome as the relay and the platform have it: JSON text without what history puts around it. */
function plain(outcome: Outcome): Outcome {
  if (!outcome.ok) return outcome;
  return { ok: true, value: JSON.stringify((JSON.parse(outcome.value) as { json: Json }).json) };
}

function bounded(name: string, outcome: Outcome): Outcome {
  const bytes = outcome.ok ? Buffer.byteLength(outcome.value) : 0;
  if (bytes <= limits.resultBytes) return outcome;
  const error = new LabError(
    'too-large',
    `the result of tool "${name}" is ${bytes} bytes of JSON; at most ${limits.resultBytes} are kept`,
    'Return less, or a name by which the rest can be fetched.',
    { bytes, limit: limits.resultBytes },
  );
  return { ok: false, error: toWireError(error) };
}

/** For what must go no further: the process is gone, or stands where it was hit. */
function standsStill(): Promise<never> {
  return new Promise(() => undefined);
}
