import {
  formatCrashPoint,
  watchCrashPoints,
  type CrashPoint,
  type OperationPhase,
  type PlannedPoint,
  type RunPhase,
} from '../crash/index.ts';
import { limits, type EndCause, type OperationId } from '../core/index.ts';
import type { RelayProcess, Services } from './ports.ts';

interface Subject {
  readonly id: OperationId;
  readonly name: string;
}

/**
 * Ends an attempt's process exactly where its plan says. Once a point has fired the gate is shut: the attempt's
 * execution takes no further frame and sends no further answer, so that the process stands where it was hit.
 */
export class CrashGate {
  readonly waitForIntents: boolean;
  readonly #watch;
  readonly #process: () => RelayProcess | null;
  readonly #onFired: (index: number) => void;
  readonly #services: Services | null;
  readonly #run: string;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Points of phase `during` without a time that wait for a service, or for the body's end. */
  readonly #during = new Map<OperationId, { point: PlannedPoint; stop: () => void }>();
  #shut = false;
  #cause: EndCause | null = null;

  constructor(parts: {
    plan: readonly CrashPoint[];
    run: string;
    process: () => RelayProcess | null;
    /** Null when the relay names no service. */
    services: Services | null;
    onFired: (index: number) => void;
  }) {
    this.#watch = watchCrashPoints(parts.plan);
    this.waitForIntents = this.#watch.waitForIntents;
    this.#process = parts.process;
    this.#services = parts.services;
    this.#run = parts.run;
    this.#onFired = parts.onFired;
  }

  /** True when the process was just ended, or was before: the caller goes no further. */
  reach(phase: Exclude<OperationPhase, 'during'>, subject: Subject): boolean {
    return this.#shut || this.#fireIf(this.#watch.atOperation(phase, subject));
  }

  reachRun(phase: Exclude<RunPhase, 'during'>): boolean {
    return this.#shut || this.#fireIf(this.#watch.atRun(phase));
  }

  /** The relay's code is about to start: arms the points that wait for a time. */
  runStarts(): void {
    for (let hit = this.#watch.atRun('during'); hit !== null; hit = this.#watch.atRun('during')) {
      this.#fireLater(hit);
    }
  }

  /** A body is about to begin: arms a point of phase `during`. Resolves when services know of it. */
  async bodyStarts(subject: Subject): Promise<void> {
    const hit = this.#watch.atOperation('during', subject);
    if (hit === null) return;
    if (hit.point.afterMs !== null) {
      this.#fireLater(hit);
      return;
    }
    const waiting = { point: hit, stop: () => {} };
    this.#during.set(subject.id, waiting);
    const hold = await this.#services?.holdNext({ run: this.#run, operation: subject.id });
    if (hold === undefined) return;
    waiting.stop = () => hold.stop();
    void hold.held.then(() => {
      if (this.#during.has(subject.id)) this.#fireIf(hit);
    });
  }

  /** A body has ended and nothing of it is recorded: the last moment of `during`. True as in `reach`. */
  bodyEnds(subject: Subject): boolean {
    const waiting = this.#during.get(subject.id);
    return this.#shut || (waiting !== undefined && this.#fireIf(waiting.point));
  }

  /** Nothing of the plan is left to hit. */
  get isIdle(): boolean {
    return this.#watch.idle;
  }

  get isShut(): boolean {
    return this.#shut;
  }

  /** The cause of death that the fired point stands for; null while none has fired. */
  get cause(): EndCause | null {
    return this.#cause;
  }

  /** Lets go of timers and held answers. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const waiting of this.#during.values()) waiting.stop();
    this.#during.clear();
  }

  #fireLater(hit: PlannedPoint): void {
    const timer = setTimeout(() => this.#fireIf(hit), hit.point.afterMs ?? 0);
    this.#timers.add(timer);
  }

  #fireIf(hit: PlannedPoint | null): boolean {
    const process = this.#process();
    if (hit === null || process === null || this.#shut) return this.#shut;
    this.#shut = true;
    const { action } = hit.point;
    const what = action.kind === 'signal' ? action.signal : `exit code ${action.code}`;
    const cause: EndCause = { kind: 'crash-point', point: formatCrashPoint(hit.point), signal: what };
    this.#cause = cause;
    if (action.kind === 'exit') process.send({ tag: 'exit', code: action.code });
    else process.signal(action.signal, cause);
    if (what !== 'SIGKILL') {
      // A process that outlives the gentler action stands still for ever: it gets no answer any more.
      this.#timers.add(setTimeout(() => process.signal('SIGKILL', cause), limits.cancelGraceMs));
    }
    this.#onFired(hit.index);
    return true;
  }
}
