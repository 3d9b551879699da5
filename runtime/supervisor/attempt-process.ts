import { join } from 'node:path';
import { protocolVersion, type FromChild, type ToChild } from '../contract/index.ts';
import { describeEnd, LabError, type EndCause, type ProcessIdentity } from '../core/index.ts';
import { writeExitRecord } from './attempt-record.ts';
import { FrameChannel } from './frame-channel.ts';
import type { Keeper } from './keeper.ts';
import type { Launched } from './launch.ts';
import { OutputCapture, readTail } from './output-capture.ts';
import { OutputOrder } from './output-order.ts';
import { emptyGroup, signalGroup } from './process-group.ts';
import type { OutputPiece, ProcessListener, ProcessSpec } from './process-spec.ts';

/** From the spawn to the first frame. Node itself takes some 30 ms, on a machine that swaps some seconds. */
const startUpMs = 20_000;
/** A process that has closed its socket has this long to end. */
const partingMs = 1000;
/** Streams that brought nothing for this long after the death are held open by somebody else, and are let go. */
const quietMs = 500;
const stderrTailBytes = 2000;

export interface AttemptParts {
  readonly keeper: Keeper;
  publish(piece: OutputPiece): void;
}

export interface AttemptOrder {
  readonly spec: ProcessSpec;
  readonly listener: ProcessListener;
  /** `attempts/<n>` of the run, made before the process exists: what can fail has failed by then. */
  readonly folder: string;
}

/** An attempt's process from its spawn to its end. */
export class AttemptProcess {
  readonly identity: ProcessIdentity;
  readonly #spec: ProcessSpec;
  readonly #listener: ProcessListener;
  readonly #keeper: Keeper;
  readonly #launched: Launched;
  readonly #folder: string;
  readonly #channel: FrameChannel;
  readonly #order: OutputOrder;
  readonly #stdout: OutputCapture;
  readonly #stderr: OutputCapture;
  readonly #greeted = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed: Promise<true>;
  readonly #ended = Promise.withResolvers<void>();
  #state: 'starting' | 'greeted' | 'ready' = 'starting';
  #timer: NodeJS.Timeout;
  #resultSeen = false;
  #exited = false;
  #cause: EndCause | null = null;
  #gentleCause: EndCause | null = null;

  constructor(parts: AttemptParts, launched: Launched, order: AttemptOrder) {
    const { child, socket } = launched;
    this.identity = launched.identity;
    this.#launched = launched;
    this.#spec = order.spec;
    this.#listener = order.listener;
    this.#keeper = parts.keeper;
    this.#folder = order.folder;
    const { run, attempt } = this.#spec;
    this.#order = new OutputOrder(this.#folder);
    const place = { folder: this.#folder, order: this.#order };
    const capture = (stream: 'stdout' | 'stderr'): OutputCapture =>
      new OutputCapture(stream, launched[stream], place, (offset, bytes) =>
        parts.publish({ run, attempt, stream, offset, bytes }),
      );
    this.#stdout = capture('stdout');
    this.#stderr = capture('stderr');
    this.#channel = new FrameChannel(socket, {
      onFrame: (frame) => this.#onFrame(frame),
      onFault: (detail) => this.#onFault(detail),
    });
    this.#timer = setTimeout(() => this.#onSilence(), startUpMs);
    this.#closed = new Promise((resolve) => child.once('close', () => resolve(true)));
    child.once('exit', (code, signal) => void this.#onExit(code, signal));
    socket.once('end', () => this.#onParting());
    void Promise.all([this.#greeted.promise, parts.keeper.guard(this.identity)]).then(() => this.#onReady());
  }

  /** Resolves when the process has said hello and the keeper guards it; rejects when it is gone before that. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves after the end was reported. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  send(frame: ToChild): void {
    this.#channel.send(frame);
  }

  pause(): void {
    this.#channel.hold();
  }

  resume(): void {
    this.#channel.release();
  }

  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP', cause: EndCause): void {
    // Until its exit was seen nobody has collected the process, so its pid and its group's number are its own.
    if (this.#exited) return;
    // A gentle signal may be outlived, and a stop ends nothing: what ends the process after it is its cause of death.
    if (signal === 'SIGKILL') this.#cause ??= cause;
    else if (signal === 'SIGTERM') this.#gentleCause ??= cause;
    signalGroup(this.identity.pid, signal);
    if (signal === 'SIGKILL') this.#channel.stop();
  }

  #onFrame(frame: FromChild): void {
    if (this.#state === 'starting') this.#greet(frame);
    else if (frame.tag === 'hello') this.#onFault('it said hello a second time');
    else {
      if (frame.tag === 'result') this.#resultSeen = true;
      this.#listener.onFrame(frame);
    }
  }

  #greet(frame: FromChild): void {
    if (frame.tag !== 'hello') this.#onFault(`its first frame is "${frame.tag}", expected "hello"`);
    else if (frame.protocol !== protocolVersion) {
      this.#onFault(`it speaks version ${frame.protocol} of the protocol, expected ${protocolVersion}`);
    } else if (frame.pid !== this.identity.pid) {
      this.#onFault(`it says it is process ${frame.pid}, but it is ${this.identity.pid}`);
    } else {
      this.#state = 'greeted';
      this.#channel.hold();
      this.#greeted.resolve();
    }
  }

  #onReady(): void {
    if (this.#exited || this.#state !== 'greeted') return;
    this.#state = 'ready';
    clearTimeout(this.#timer);
    this.#ready.resolve();
    // Frames follow when the caller, who learns of the process by a promise, has it in hand.
    setImmediate(() => this.#channel.release());
  }

  #onFault(detail: string): void {
    this.signal('SIGKILL', { kind: 'frame-invalid', detail });
  }

  #onSilence(): void {
    const missing = this.#state === 'starting' ? 'it said no hello' : 'the keeper did not take it';
    this.signal('SIGKILL', { kind: 'could-not-start', detail: `${missing} within ${startUpMs / 1000} s` });
  }

  #onParting(): void {
    if (this.#exited) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onFault('it closed its socket and lived on'), partingMs);
  }

  async #onExit(exitCode: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.#exited = true;
    clearTimeout(this.#timer);
    // Nobody takes frames of a process that was not handed out.
    if (this.#state !== 'ready') this.#channel.stop();
    const left = await emptyGroup(this.identity);
    await this.#drain();
    this.#channel.stop();
    const output = { stdout: await this.#stdout.finished, stderr: await this.#stderr.finished };
    this.#order.close();
    this.#keeper.release(this.identity.pid);
    const cause = this.#cause ?? this.#gentleCause ?? (await this.#naturalEnd(exitCode, signal));
    const { run, attempt } = this.#spec;
    const record = { run, attempt, process: this.identity, cause, exitCode, signal, endedAt: Date.now(), output, left };
    // The record is evidence for people; a folder that cannot be written must not hide the end itself.
    await writeExitRecord(this.#folder, record).catch(() => {});
    if (this.#state === 'ready') this.#listener.onEnd(cause);
    else this.#ready.reject(neverReady(cause));
    this.#ended.resolve();
  }

  /** Reads what the process had written before its death. */
  async #drain(): Promise<void> {
    for (let before = -1; before !== this.#received;) {
      before = this.#received;
      const quiet = Promise.withResolvers<false>();
      // The turn after the timer has looked at the streams again, also when the host was too busy to do so before.
      const timer = setTimeout(() => setImmediate(() => quiet.resolve(false)), quietMs);
      const closed = await Promise.race([this.#closed, quiet.promise]);
      clearTimeout(timer);
      if (closed) return;
    }
    for (const stream of [this.#launched.stdout, this.#launched.stderr, this.#launched.socket]) stream.destroy();
    await this.#closed;
  }

  get #received(): number {
    return this.#channel.received + this.#stdout.received + this.#stderr.received;
  }

  async #naturalEnd(exitCode: number | null, signal: NodeJS.Signals | null): Promise<EndCause> {
    if (this.#state === 'ready') {
      if (signal !== null) return { kind: 'signal', signal };
      return exitCode === 0 && this.#resultSeen ? { kind: 'finished' } : { kind: 'exit', code: exitCode ?? 0 };
    }
    const how = signal === null ? `it exited with code ${exitCode ?? 0}` : `it was ended by ${signal}`;
    const words = await readTail(join(this.#folder, 'stderr'), stderrTailBytes);
    const tail = words === '' ? 'it wrote nothing to stderr' : `the end of its stderr: ${words}`;
    return { kind: 'could-not-start', detail: `${how} before its first frame; ${tail}` };
  }
}

function neverReady(cause: EndCause): LabError {
  return new LabError(
    cause.kind === 'frame-invalid' ? 'frame-invalid' : 'process-gone',
    cause.kind === 'could-not-start' ? cause.detail : describeEnd(cause),
    "Look at the attempt's stderr file in the run's folder.",
    { cause },
  );
}
