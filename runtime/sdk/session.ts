import type { FromChild, Question, ToChild } from '../contract/index.ts';
import { LabError, type HistoryEntry, type Json, type OperationId, type Outcome } from '../core/index.ts';
import { dbosErrors } from './dbos-errors.ts';
import { FrameChannel } from './frame-channel.ts';
import { retryNow } from './retry-waits.ts';
import { cancelWorkflowHere, currentScope, newWorkflow, type Workflow } from './scope.ts';
import { keepThrown, settle } from './thrown.ts';

type StartFrame = Extract<ToChild, { tag: 'start' }>;
type ToolFrame = Extract<ToChild, { tag: 'tool' }>;

/** Of the platform, not of the relay: it is here before anything can replace it. */
const exit = process.exit.bind(process);
/** How long a run's end waits for its own output to leave. The host kills a process that stays longer. */
const outputMs = 5000;

/** What the relay printed last is in the stream and not in the host's file yet: `process.exit` alone would lose it. */
function exitAfterOutput(): void {
  const written = [process.stdout, process.stderr].map(
    (stream) =>
      new Promise<void>((resolve) => (stream.writableLength === 0 ? resolve() : stream.write('', () => resolve()))),
  );
  void Promise.all(written).then(() => exit(0));
  setTimeout(() => exit(0), outputMs);
}

export interface SessionEvents {
  onStart(start: StartFrame): void;
  onTool(frame: ToolFrame): void;
}

/** This process's part of the run: what the host said, what is waited for, and whether the end has been said. */
export class Session {
  readonly history = new Map<OperationId, HistoryEntry>();
  readonly #channel: FrameChannel;
  readonly #events: SessionEvents;
  readonly #acks = new Map<string, () => void>();
  readonly #hosted = new Map<OperationId, (outcome: Outcome) => void>();
  readonly #calls = new Map<number, (outcome: Outcome) => void>();
  #nextCall = 0;
  #start: StartFrame | null = null;
  #workflow: Workflow | null = null;
  #cancelRequested = false;
  #waitsForIntents = false;
  #ended = false;

  constructor(events: SessionEvents) {
    this.#events = events;
    this.#channel = new FrameChannel(3, {
      onFrame: (frame) => this.#onFrame(frame),
      // The host is gone, or has taken the result: nothing that this process still does can count.
      onEnd: () => exit(this.#ended ? 0 : 1),
    });
    this.#channel.hold();
    process.on('exit', () => this.#channel.flush());
  }

  get start(): StartFrame {
    if (this.#start === null) throw new LabError('wrong-state', 'the run has not started');
    return this.#start;
  }

  /** The run itself, as a workflow. */
  get workflow(): Workflow {
    if (this.#workflow === null) throw new LabError('wrong-state', 'the run has not started');
    return this.#workflow;
  }

  /** Every body begins only once its intent is durable, so that a crash point can be hit before it. */
  get waitsForIntents(): boolean {
    return this.#waitsForIntents;
  }

  /** The run's end has been said: nothing begins or settles any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Throws `too-large` for a frame over the bound. After the end nothing is sent. */
  send(frame: FromChild): void {
    if (!this.#ended) this.#channel.send(frame);
  }

  flush(): void {
    this.#channel.flush();
  }

  /** From now on only what is awaited from the host keeps this process alive. */
  release(): void {
    this.#channel.release();
  }

  /** Keeps this process alive for good: something in it may wait for the host to speak first. */
  stay(): void {
    this.#channel.hold();
  }

  /** Resolves once the host says that the operation's intent, or its checkpoint, is durable. */
  acknowledged(phase: 'intent' | 'checkpoint', id: OperationId): Promise<void> {
    return this.#arrival(this.#acks, phase + id);
  }

  /** Resolves with what the host made of a `perform`. */
  settled(id: OperationId): Promise<Outcome> {
    return this.#arrival(this.#hosted, id);
  }

  /** Asks the host. Resolves with the answer, parsed; rejects with what it refused with. */
  async ask(question: Question, input: Json): Promise<Json> {
    const call = this.#nextCall++;
    this.send({ tag: 'ask', call, question, operation: currentScope()?.operation ?? null, input });
    const outcome = await this.#arrival(this.#calls, call);
    if (!outcome.ok) return settle(outcome) as never;
    return JSON.parse(outcome.value) as Json;
  }

  /** Says how the run ended, once, and nothing after it. */
  end(end: 'returned' | 'nondeterminism', outcome: Outcome): void {
    if (this.#ended) return;
    const cancelled = end === 'returned' && this.#cancelRequested;
    // Until the host lets go of it, this process stays: the end is the host's to record.
    this.#channel.hold();
    this.#channel.send({ tag: 'result', end: cancelled ? 'cancelled' : end, outcome });
    this.#ended = true;
    this.#channel.flush();
  }

  fail(thrown: unknown): void {
    this.end('returned', { ok: false, error: keepThrown(thrown) });
  }

  #onFrame(frame: ToChild): void {
    switch (frame.tag) {
      case 'history':
        for (const entry of frame.entries) this.history.set(entry.id, entry);
        return;
      case 'start':
        this.#start = frame;
        this.#waitsForIntents = frame.waitForIntents;
        this.#workflow = newWorkflow(frame.run, null, null);
        if (this.#cancelRequested) cancelWorkflowHere(this.#workflow);
        this.#events.onStart(frame);
        return;
      case 'ack':
        return this.#arrived(this.#acks, frame.phase + frame.id, undefined);
      case 'settled':
        return this.#arrived(this.#hosted, frame.id, frame.outcome);
      case 'reply':
        return this.#arrived(this.#calls, frame.call, frame.outcome);
      case 'tool':
        this.#events.onTool(frame);
        return;
      case 'cancel':
        this.#cancelRequested = true;
        if (this.#workflow !== null) cancelWorkflowHere(this.#workflow);
        return;
      case 'wait-for-intents':
        this.#waitsForIntents = true;
        return this.send({ tag: 'waits-for-intents' });
      case 'retry-now':
        return retryNow(frame.id);
      case 'exit':
        if (this.#ended && frame.code === 0) exitAfterOutput();
        else exit(frame.code);
    }
  }

  /** While something is awaited from the host, this process stays. */
  #arrival<Key, Value>(waits: Map<Key, (value: Value) => void>, key: Key): Promise<Value> {
    this.#channel.hold();
    return new Promise((resolve) => waits.set(key, resolve));
  }

  #arrived<Key, Value>(waits: Map<Key, (value: Value) => void>, key: Key, value: Value): void {
    const resolve = waits.get(key);
    if (resolve === undefined || this.#ended) return;
    waits.delete(key);
    this.#channel.release();
    resolve(value);
  }
}

let session: Session | null = null;

export function openSession(events: SessionEvents): Session {
  session = new Session(events);
  return session;
}

/** This process's session. Throws when the program is not run as a relay. */
export function theSession(): Session {
  if (session === null) throw new dbosErrors.DBOSInitializationError('this works only in a relay that the lab runs');
  return session;
}

/** For what an operation must not do: end in any way that the relay's code could see. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
