import { realpathSync } from 'node:fs';
import { LabError, type ProcessIdentity } from '../core/index.ts';
import { AttemptProcess } from './attempt-process.ts';
import { makeAttemptFolder } from './attempt-record.ts';
import { Keeper } from './keeper.ts';
import { launch } from './launch.ts';
import { isAlive, readProcess } from './process-facts.ts';
import { emptyGroup } from './process-group.ts';
import type { OutputPiece, ProcessListener, ProcessSpec, RelayProcess } from './process-spec.ts';
import type { NodeProgram } from './sandbox.ts';
import { probeWalls, type WallReport } from './wall-probe.ts';

export interface SupervisorOptions {
  /** The bundle that every relay's process starts with. */
  readonly sdk: string;
  /** The Node that runs it. Default: the host's own executable, which must then be a plain Node. */
  readonly node?: NodeProgram;
}

/** Starts the host's keeper. Rejects when /bin/sh, the sdk or the host's own start time cannot be had. */
export async function openSupervisor(options: SupervisorOptions): Promise<OpenSupervisor> {
  const self = readProcess(process.pid);
  if (self === null) {
    throw new LabError(
      'internal',
      `the start time of process ${process.pid} could not be read`,
      'Check that ps works here.',
    );
  }
  const node = options.node ?? { execPath: process.execPath, env: {} };
  const identity = { pid: self.pid, startTime: self.startTime };
  return new OpenSupervisor({ sdk: realpathSync(options.sdk), node, self: identity, keeper: await Keeper.start() });
}

/** Keeps the processes of one host. Everything that it started is gone when `close` resolves. */
export class OpenSupervisor {
  /** This host's own process. */
  readonly self: ProcessIdentity;
  readonly #sdk: string;
  readonly #node: NodeProgram;
  readonly #keeper: Keeper;
  readonly #attempts = new Set<AttemptProcess>();
  readonly #outputListeners = new Set<(piece: OutputPiece) => void>();
  #closing: Promise<void> | null = null;

  constructor(parts: { sdk: string; node: NodeProgram; self: ProcessIdentity; keeper: Keeper }) {
    this.self = parts.self;
    this.#sdk = parts.sdk;
    this.#node = parts.node;
    this.#keeper = parts.keeper;
  }

  /**
   * Resolves when the process leads its group, has said hello, and is guarded by the keeper; its code starts on the
   * `start` frame. Rejects with `process-gone` or `frame-invalid` when it is gone before that; then `onEnd` is not
   * called, and `facts.cause` of the error is the cause of death.
   */
  async spawn(spec: ProcessSpec, listener: ProcessListener): Promise<RelayProcess> {
    if (this.#closing !== null) {
      throw new LabError(
        'wrong-state',
        `attempt ${spec.attempt} of run ${spec.run} was not started: the host is closing`,
      );
    }
    const folder = makeAttemptFolder(spec.runDir, spec.attempt);
    const launched = launch({ node: this.#node, entry: this.#sdk, workDir: spec.workDir, readable: spec.readable });
    if (launched instanceof Promise) return launched;
    const parts = { keeper: this.#keeper, publish: (piece: OutputPiece) => this.#publish(piece) };
    const attempt = new AttemptProcess(parts, launched, { spec, listener, folder });
    this.#attempts.add(attempt);
    void attempt.ended.then(() => this.#attempts.delete(attempt));
    await attempt.ready;
    return attempt;
  }

  /** Whether that very process still lives: pid and start time both match. A zombie counts as dead. */
  isAlive(identity: ProcessIdentity): boolean {
    return isAlive(identity);
  }

  /** Ends the group of a process that an earlier host left, if that very process is still there, and waits for it. */
  async endLeftover(identity: ProcessIdentity): Promise<void> {
    const facts = readProcess(identity.pid);
    if (facts === null || facts.startTime !== identity.startTime) return;
    const left = facts.group === identity.pid ? await emptyGroup(identity) : [identity.pid];
    if (left.length === 0) return;
    throw new LabError(
      'internal',
      `the leftover process ${identity.pid} could not be ended: still there are ${left.join(', ')}`,
      'End these processes by hand, then start the host again.',
    );
  }

  /** Has the keeper kill a group that some other part of this host leads; the returned function ends that. */
  guardGroup(leader: number): () => void {
    const facts = readProcess(leader);
    if (facts === null) return () => undefined;
    void this.#keeper.guard({ pid: facts.pid, startTime: facts.startTime });
    return () => this.#keeper.release(leader);
  }

  /** The keeper's process; null in the moment between one that died and the next. */
  get keeperPid(): number | null {
    return this.#keeper.pid ?? null;
  }

  /** Calls back for every piece of output of any attempt, once it stands in its file. Returns the way to stop. */
  onOutput(listener: (piece: OutputPiece) => void): () => void {
    this.#outputListeners.add(listener);
    return () => this.#outputListeners.delete(listener);
  }

  /** Tries each wall from inside a real process with the flags that relays get. */
  probeWalls(): Promise<WallReport[]> {
    return probeWalls(this.#node);
  }

  /** Kills every group that is left, waits until each end was reported, and ends the keeper. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const attempts = [...this.#attempts];
    for (const attempt of attempts) attempt.signal('SIGKILL', { kind: 'host-gone' });
    await Promise.all(attempts.map((attempt) => attempt.ended));
    await this.#keeper.close();
  }

  #publish(piece: OutputPiece): void {
    for (const listener of this.#outputListeners) listener(piece);
  }
}
