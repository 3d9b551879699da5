import { hostedCall, type FromChild } from '../contract/index.ts';
import { asLabError, LabError, toWireError, type Json, type Outcome, type WireError } from '../core/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';
import { admitWithin } from './call-admission.ts';
import { exchangeMessages, type HostedBody } from './message-operations.ts';
import { journaledAgent } from './journaled-agent.ts';
import { keepLateAnswer } from './late-answer.ts';
import { checkAdmission } from './platform-admission.ts';
import { RelayTools } from './relay-tools.ts';
import { ToolJournal } from './tool-journal.ts';

type Perform = Extract<FromChild, { tag: 'perform' }>;
type PlatformKind = 'agent' | 'mcp';

/** Operations that the host carries out for the relay: it records the intent, acts, records the result and answers. */
export class HostedOperations {
  readonly #context: AttemptContext;
  /** Tools of agents. */
  readonly tools: RelayTools;

  constructor(context: AttemptContext) {
    this.#context = context;
    this.tools = new RelayTools(context);
  }

  async perform(frame: Perform): Promise<void> {
    if (this.#context.gate.reach('before-intent', frame)) return;
    this.#context.open.open(frame);
    const { kind } = frame;
    if (kind === 'agent' || kind === 'mcp') await this.#callPlatform(frame, kind);
    else await this.#exchangeMessages(frame);
  }

  async #callPlatform(frame: Perform, kind: PlatformKind): Promise<void> {
    const { parts, run } = this.#context;
    const check = await checkAdmission(parts, run, {
      name: frame.name,
      attempt: run.attempts,
      operation: frame.id,
      connections: parts.platform.connections(kind, frame.input),
    });
    await this.#context.commit([check.receipt, this.#intent(frame)]);
    if (check.refusal !== null) {
      await this.#settle(frame, { writes: [], outcome: { ok: false, error: admissionError(check.refusal) } });
      return;
    }
    if (this.#context.isOver() || this.#context.gate.reach('after-intent', frame)) return;
    await this.#context.gate.bodyStarts(frame);
    const journal = this.#openJournal(frame);
    await journal?.settlePending();
    if (this.#context.isOver()) return;
    const outcome = await this.#platformOutcome(frame, kind, journal);
    // The agent has ended, and a tool that it called beside another may be at work still.
    if (!this.#context.isOver()) await journal?.idle();
    await this.#settle(frame, { writes: [], outcome });
  }

  async #exchangeMessages(frame: Perform): Promise<void> {
    const call = hostedCall.safeParse({ name: frame.name, input: frame.input });
    if (!call.success) {
      const place = `operation ${frame.id} ${frame.name}: its input is not of the protocol`;
      throw new LabError('frame-invalid', `${place}: ${call.error.message}`);
    }
    // Its effect is one transaction with its checkpoint, so nothing has to wait for the intent.
    await this.#context.commit([this.#intent(frame)], !this.#context.gate.waitForIntents);
    if (this.#context.isOver() || this.#context.gate.reach('after-intent', frame)) return;
    await this.#context.gate.bodyStarts(frame);
    await this.#settle(frame, await exchangeMessages(this.#context, frame, call.data));
  }

  async #settle(frame: Perform, body: HostedBody): Promise<void> {
    const { gate } = this.#context;
    if (this.#context.isOver() || gate.bodyEnds(frame) || gate.reach('before-checkpoint', frame)) return;
    const { id } = frame;
    const { outcome } = body;
    await this.#context.commit([...body.writes, { tag: 'operation/checkpoint', ...stamp(this.#context), id, outcome }]);
    this.#context.open.close(id);
    if (this.#context.isOver() || gate.reach('after-checkpoint', frame)) return;
    this.#context.send({ tag: 'settled', id, outcome });
  }

  #intent(frame: Perform) {
    const { id, kind, name, repeatable, source } = frame;
    return {
      tag: 'operation/intend' as const,
      ...stamp(this.#context),
      ...{ id, kind, name, arguments: frame.arguments, repeatable, source },
    };
  }

  #openJournal(frame: Perform): ToolJournal | null {
    const agent = journaledAgent(frame);
    return agent === null ? null : new ToolJournal(this.#context, agent, this.tools);
  }

  async #platformOutcome(frame: Perform, kind: PlatformKind, journal: ToolJournal | null): Promise<Outcome> {
    const { parts, run, release, files, signal } = this.#context;
    try {
      const failure = journal?.failure() ?? null;
      if (failure !== null) throw failure;
      const value = await parts.platform.perform({
        run: run.id,
        attempt: run.attempts,
        operation: frame.id,
        kind,
        name: frame.name,
        input: frame.input,
        release,
        runDir: files.folder,
        signal,
        journal,
        callTool: (name, text) =>
          journal === null
            ? this.tools.call({ agent: frame.id, operation: null, purpose: 'run', name, arguments: text })
            : journal.call(name, text),
        admit: (what) => admitWithin(this.#context, frame, what),
        late: (answer) => void keepLateAnswer(this.#context, frame.id, answer),
        receipt: async (receipt) => {
          const { at, attempt } = stamp(this.#context);
          const about = { run: run.id, attempt, operation: frame.id };
          await this.#context.commit([{ tag: 'receipt/add', at, ...about, ...receipt }], true);
        },
      });
      return { ok: true, value: serialisedJson(value) };
    } catch (thrown) {
      return { ok: false, error: refusalOrError(thrown) };
    }
  }
}

/** A JSON value in the form in which operations keep values. */
export function serialisedJson(value: Json): string {
  return JSON.stringify({ json: value });
}

/** What a call was refused by or failed with, as the relay's code gets it. */
function refusalOrError(thrown: unknown): WireError {
  const error = asLabError(thrown);
  const refused = error.code === 'admission-denied' || error.code === 'binding-changed';
  return refused ? admissionError(error) : toWireError(thrown);
}

/** A refusal as the relay's code gets it. */
export function admissionError(refusal: LabError): WireError {
  return {
    name: 'AdmissionDeniedError',
    message: refusal.message,
    stack: null,
    code: refusal.code,
    fields: refusal.facts,
    cause: null,
  };
}
