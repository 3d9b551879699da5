import {
  formatAction,
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

/** A point of phase `during` that the attempt has come to, and that waits for its moment. */
interface DuePoint {
  readonly planned: PlannedPoint;
  /** Null for one of the run. */
  readonly operation: OperationId | null;
  stop(this: void): void;
}

/**
 * Ends an attempt's process exactly where its plan says. Once a point has fired the gate is shut: the attempt's
 * execution takes no further frame and sends no further answer, so that the process stands where it was hit.
 */
export class CrashGate {
  readonly #watch;
  readonly #process: () => RelayProcess | null;
  readonly #onFired: (index: number, operation: OperationId | null) => Promise<void>;
  readonly #endHost: () => void;
  readonly #services: Services | null;
  readonly #run: string;
  readonly #passed = new Set<RunPhase>();
  /** By the point's index. */
  readonly #due = new Map<number, DuePoint>();
  #waitForIntents: boolean;
  #patience: NodeJS.Timeout | null = null;
  #shut = false;
  #cause: EndCause | null = null;

  constructor(parts: {
    plan: readonly CrashPoint[];
    run: string;
    process: () => RelayProcess | null;
    /** Null when the relay names no service. */
    services: Services | null;
    /** `operation`: where it fired; null for a point of the run. Resolves once that is durable, or cannot be. */
    onFired: (index: number, operation: OperationId | null) => Promise<void>;
    endHost: () => void;
  }) {
    this.#watch = watchCrashPoints(parts.plan);
    this.#waitForIntents = this.#watch.waitForIntents;
    this.#process = parts.process;
    this.#services = parts.services;
    this.#run = parts.run;
    this.#onFired = parts.onFired;
    this.#endHost = parts.endHost;
  }

  /** Every body is to wait for its durable intent. */
  get waitForIntents(): boolean {
    return this.#waitForIntents;
  }

  /** From now on, for a point at an operation that is armed late. */
  makeIntentsWait(): void {
    this.#waitForIntents = true;
  }

  /** True when the process was just ended, or was before: the caller goes no further. */
  reach(phase: Exclude<OperationPhase, 'during'>, subject: Subject): boolean {
    return this.#shut || this.#fireIf(this.#watch.atOperation(phase, subject), subject.id);
  }

  reachRun(phase: Exclude<RunPhase, 'during'>): boolean {
    this.#passed.add(phase);
    return this.#shut || this.#fireIf(this.#watch.atRun(phase), null);
  }

  /** The relay's code is about to start: arms the points that wait for a time. */
  runStarts(): void {
    for (let hit = this.#watch.atRun('during'); hit !== null; hit = this.#watch.atRun('during')) {
      this.#fireLater(hit, null);
    }
  }

  /** A body is about to begin: arms a point of phase `during`. Resolves when services know of it. */
  async bodyStarts(subject: Subject): Promise<void> {
    const hit = this.#watch.atOperation('during', subject);
    if (hit !== null) await this.#becomeDue(hit, subject.id);
  }

  /** A body has ended and nothing of it is recorded: the last moment of `during`. True as in `reach`. */
  bodyEnds(subject: Subject): boolean {
    if (this.#shut || this.#due.size === 0) return this.#shut;
    for (const { planned, operation } of [...this.#due.values()]) {
      if (operation !== subject.id) continue;
      if (planned.point.afterMs === null) return this.#fireIf(planned, operation);
      // Its body was quicker than its time: it was missed.
      this.#drop(planned.index);
    }
    return false;
  }

  /** Phases of the run that were passed. */
  get passed(): ReadonlySet<RunPhase> {
    return this.#passed;
  }

  /**
   * Adds a point to the plan. `atWork` is the operation that it names, when its body is at work; `begun` all that were
   * begun so far, in program order. Resolves when services know of it.
   */
  async arm(planned: PlannedPoint, atWork: Subject | null, begun: Iterable<Subject>): Promise<void> {
    const { point } = planned;
    if (point.phase === 'during' && point.on === 'run' && this.#passed.has('at-start')) this.#fireLater(planned, null);
    else if (point.phase === 'during' && atWork !== null) await this.#becomeDue(planned, atWork.id);
    else this.#watch.arm(planned, begun);
  }

  /** Takes a point back. False when it has fired, or the process is being ended by another. */
  disarm(index: number): boolean {
    return !this.#shut && (this.#drop(index) || this.#watch.disarm(index));
  }

  /** Nothing of the plan is left to hit. */
  get isIdle(): boolean {
    return this.#watch.idle;
  }

  get isShut(): boolean {
    return this.#shut;
  }

  /**
   * The cause of death that the fired point stands for, unless something else ended the process that it only stopped;
   * null while none has fired, and for a SIGSTOP, which ends nothing.
   */
  get cause(): EndCause | null {
    return this.#cause;
  }

  /** Lets go of timers and held answers. */
  close(): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    for (const index of [...this.#due.keys()]) this.#drop(index);
  }

  async #becomeDue(planned: PlannedPoint, operation: OperationId): Promise<void> {
    if (planned.point.afterMs !== null) {
      this.#fireLater(planned, operation);
      return;
    }
    const due = { planned, operation, stop: () => {} };
    this.#due.set(planned.index, due);
    const hold = await this.#services?.holdNext({ run: this.#run, operation });
    if (hold === undefined) return;
    if (this.#due.get(planned.index) !== due) {
      hold.stop();
      return;
    }
    due.stop = () => hold.stop();
    void hold.held.then(() => {
      if (this.#due.get(planned.index) === due) this.#fireIf(planned, operation);
    });
  }

  #fireLater(planned: PlannedPoint, operation: OperationId | null): void {
    const timer = setTimeout(() => this.#fireIf(planned, operation), planned.point.afterMs ?? 0);
    this.#due.set(planned.index, { planned, operation, stop: () => clearTimeout(timer) });
  }

  #drop(index: number): boolean {
    this.#due.get(index)?.stop();
    return this.#due.delete(index);
  }

  #fireIf(hit: PlannedPoint | null, operation: OperationId | null): boolean {
    const process = this.#process();
    if (hit === null || process === null || this.#shut) return this.#shut;
    this.#shut = true;
    const { action } = hit.point;
    const what = action.kind === 'exit' ? `exit code ${action.code}` : formatAction(action);
    const cause = (signal: string): EndCause => ({ kind: 'crash-point', point: formatCrashPoint(hit.point), signal });
    const fired = this.#onFired(hit.index, operation);
    if (action.kind === 'host') {
      if (action.relayToo) process.signal('SIGKILL', cause('SIGKILL'));
      // Only this stands between the point and the host's end: a point that fired can be told from one that missed.
      void fired.then(() => this.#endHost());
      return true;
    }
    if (what !== 'SIGSTOP') this.#cause = cause(what);
    if (action.kind === 'exit') process.send({ tag: 'exit', code: action.code });
    else process.signal(action.signal, cause(what));
    if (what !== 'SIGKILL') {
      // A process that outlives the gentler action stands still for ever: it gets no answer any more.
      const kill = (): void => process.signal('SIGKILL', cause(`${what}, then SIGKILL`));
      this.#patience = setTimeout(kill, limits.cancelGraceMs);
    }
    return true;
  }
}
