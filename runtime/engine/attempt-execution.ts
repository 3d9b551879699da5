import type { FromChild, Run } from '../contract/index.ts';
import type { CrashPoint } from '../crash/index.ts';
import {
  asLabError,
  limits,
  type EndCause,
  type LabErrorData,
  type LedgerWrite,
  type OperationId,
  type WireError,
} from '../core/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';
import { CrashGate } from './crash-gate.ts';
import { settleDeath } from './death-settlement.ts';
import type { EngineParts } from './engine-parts.ts';
import { historyPages } from './history-pages.ts';
import { HostedOperations } from './hosted-operations.ts';
import { LivingAttempt } from './living-attempt.ts';
import { OpenOperations } from './open-operations.ts';
import type { RelayProcess, Release } from './ports.ts';
import { answerQuestion, type WorkflowCommands } from './questions.ts';
import { budgetLowered, checkpoint, intend, logged, reused, tried } from './relay-operations.ts';
import { RetryWaits } from './retry-waits.ts';
import type { RunFiles } from './run-files.ts';
import { runResult } from './run-result.ts';
import { WriteBacklog } from './write-backlog.ts';

export interface ExecutionOrder {
  readonly run: Run;
  readonly release: Release;
  readonly plan: readonly CrashPoint[];
  readonly files: RunFiles;
  readonly commands: WorkflowCommands;
}

/** One attempt: one process of a run, from its claim to its end. Decides with core, acts through the parts. */
export class AttemptExecution {
  /** What can be asked of it while it lives. */
  readonly living: LivingAttempt;
  readonly #order: ExecutionOrder;
  readonly #context: AttemptContext;
  readonly #hosted: HostedOperations;
  readonly #ended = Promise.withResolvers<void>();
  readonly #abort = new AbortController();
  #process: RelayProcess | null = null;
  /** Set once nothing of this attempt may be written any more but its end. */
  #over = false;
  /** The run has reached a terminal state by this attempt's result. */
  #resultKept = false;
  #cause: EndCause | null = null;
  #endSeen = false;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(parts: EngineParts, order: ExecutionOrder) {
    const { run, release, files } = order;
    this.#order = order;
    const backlog = new WriteBacklog(() => this.#process);
    const commit = async (unit: readonly LedgerWrite[], lazy = false): Promise<void> => {
      await parts.ledger.commit(unit, { lazy });
    };
    const record = async (unit: readonly LedgerWrite[]): Promise<void> => {
      await backlog.count(commit(unit, true)).catch((thrown: unknown) => this.#giveUp(thrown));
    };
    const keep = (unit: readonly LedgerWrite[]): void => void record(unit);
    this.#context = {
      parts,
      run,
      release,
      files,
      gate: new CrashGate({
        plan: order.plan,
        run: run.id,
        process: () => this.#process,
        services: release.manifest.services.length === 0 ? null : parts.services,
        onFired: (index, operation) => record([this.#crashPoint(index, 'fired', operation)]),
        endHost: () => parts.endHost(),
      }),
      open: new OpenOperations((to, reason) =>
        commit([this.#move(to === 'waiting' ? ['running'] : ['waiting'], to, { reason })]),
      ),
      retries: new RetryWaits(),
      signal: this.#abort.signal,
      isOver: () => this.#over || this.#context.gate.isShut,
      commit,
      keep,
      send: (frame) => this.#process?.send(frame),
      end: (cause) => this.kill(cause),
    };
    this.#hosted = new HostedOperations(this.#context);
    this.living = new LivingAttempt(this.#context);
  }

  /** Resolves when the process is gone and the run stands in the state that its end led to. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Starts the process. Never rejects: what goes wrong is the attempt's end. */
  async begin(): Promise<void> {
    const { parts, run, release, files } = this.#context;
    try {
      this.#process = await parts.supervisor.spawn(
        {
          run: run.id,
          attempt: run.attempts,
          runDir: files.folder,
          workDir: files.work,
          readable: [release.folder, parts.sdk],
        },
        { onFrame: (frame) => this.#onFrame(frame), onEnd: (cause) => void this.#onEnd(cause) },
      );
    } catch (thrown) {
      const { code, message } = asLabError(thrown);
      await this.#onEnd({ kind: code === 'frame-invalid' ? 'frame-invalid' : 'could-not-start', detail: message });
      return;
    }
    if (this.#cause !== null) this.kill(this.#cause);
    await this.#start(this.#process).catch((thrown: unknown) => this.#giveUp(thrown));
  }

  async #start(process: RelayProcess): Promise<void> {
    const { parts, run, release, files, gate } = this.#context;
    // The pid is durable before any of the relay's code runs, so that a host that comes after can end the process.
    await this.#context.commit([{ tag: 'attempt/spawned', ...stamp(this.#context), process: process.identity }]);
    if (gate.reachRun('at-start')) return;
    const now = parts.clock.now();
    const deadlineAt = run.deadlineAt ?? now + run.deadlineMs;
    this.#after(Math.max(0, deadlineAt - now), { kind: 'deadline' });
    for (const entries of historyPages(parts.ledger.history(run.id))) process.send({ tag: 'history', entries });
    gate.runStarts();
    process.send({
      tag: 'start',
      run: run.id,
      attempt: run.attempts,
      input: run.input,
      variables: release.manifest.variables,
      bundle: release.bundle,
      runDir: files.work,
      attemptBudget: run.attemptBudget,
      deadlineAt,
      waitForIntents: gate.waitForIntents,
    });
  }

  /** Ends the process at once, or as soon as it stands. */
  kill(cause: EndCause): void {
    this.#cause ??= cause;
    this.#process?.signal('SIGKILL', cause);
  }

  /** Tells the relay to stop and kills it when it has not within the grace time. */
  cancel(reason: string, graceMs: number): void {
    this.#context.send({ tag: 'cancel', reason });
    this.#after(graceMs, { kind: 'grace-over' });
  }

  #after(ms: number, cause: EndCause): void {
    this.#timers.push(setTimeout(() => this.kill(cause), ms));
  }

  #onFrame(frame: FromChild): void {
    if (this.#context.isOver()) return;
    const work = this.#take(frame);
    if (work instanceof Promise) void work.catch((thrown: unknown) => this.#giveUp(thrown));
  }

  #take(frame: FromChild): Promise<void> | void {
    switch (frame.tag) {
      case 'intend':
        return intend(this.#context, frame);
      case 'checkpoint':
        return checkpoint(this.#context, frame);
      case 'perform':
        return this.#hosted.perform(frame);
      case 'reused':
        return reused(this.#context, frame);
      case 'try':
        return tried(this.#context, frame);
      case 'ask':
        return answerQuestion(this.#context, frame, this.#order.commands);
      case 'tool-result':
        return this.#hosted.tools.answered(frame.call, frame.outcome);
      case 'log':
        return logged(this.#context, frame);
      case 'budget':
        return budgetLowered(this.#context, frame);
      case 'waits-for-intents':
        return this.living.intentsWait();
      case 'result':
        return this.#result(frame);
      case 'hello':
        return this.kill({ kind: 'frame-invalid', detail: 'a second hello' });
    }
  }

  async #result(frame: Extract<FromChild, { tag: 'result' }>): Promise<void> {
    const { gate, open } = this.#context;
    if (gate.reachRun('before-result')) return;
    await open.settle();
    const end = runResult(frame);
    try {
      await this.#context.commit([this.#move(['running'], end.to, end)]);
    } catch (thrown) {
      // Cancelled meanwhile: what it would have returned does not count any more.
      if (asLabError(thrown).code !== 'wrong-state') throw thrown;
      await this.#context.commit([this.#move(['cancel_requested'], 'cancelled', {})]);
    }
    this.#resultKept = true;
    this.#over = true;
    if (gate.reachRun('after-result')) return;
    this.#context.send({ tag: 'exit', code: 0 });
    this.#after(limits.cancelGraceMs, { kind: 'finished' });
  }

  async #onEnd(reported: EndCause): Promise<void> {
    if (this.#endSeen) return;
    this.#endSeen = true;
    const { parts, run, gate, open, files } = this.#context;
    const kept: EndCause | null = this.#resultKept ? { kind: 'finished' } : null;
    // A crash point is reported when it did end the process: one that only stopped it leaves that to another.
    const cause = reported.kind === 'crash-point' ? reported : (this.#cause ?? gate.cause ?? kept ?? reported);
    this.#over = true;
    this.#abort.abort();
    gate.close();
    open.end();
    this.#hosted.tools.close();
    for (const timer of this.#timers) clearTimeout(timer);
    try {
      await parts.platform.release(run.id, run.attempts);
      await this.#keepEnd(cause);
    } catch (thrown) {
      // A ledger that cannot be written leaves the run as it last stood; the next start of a host finds and ends it.
      const { at, attempt } = stamp(this.#context);
      files.appendLog({
        at,
        attempt,
        operation: null,
        level: 'error',
        message: asLabError(thrown).message,
        fields: {},
      });
    } finally {
      this.#ended.resolve();
    }
  }

  async #keepEnd(cause: EndCause): Promise<void> {
    const { ledger } = this.#context.parts;
    const { id, epoch } = this.#context.run;
    const { at, attempt } = stamp(this.#context);
    // All that was asked to be written before is durable when this is: uncertainty is judged on the whole history.
    await ledger.commit([{ tag: 'attempt/ended', at, run: id, attempt, cause }]);
    const ended = ledger.attempts(id).at(-1);
    const missed = (ended?.crashPlan ?? []).flatMap((point, index) =>
      point.state === 'armed' ? [this.#crashPoint(index, 'missed')] : [],
    );
    if (missed.length > 0) await ledger.commit(missed);
    const run = ledger.run(id);
    if (this.#resultKept || run === null || run.epoch !== epoch) return;
    await ledger.commit(settleDeath(ledger, run, cause, at));
  }

  /** A write that was refused or failed: the attempt is over. Its process must not go on without a history. */
  #giveUp(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const error = asLabError(thrown);
    this.kill(
      error.code === 'claim-lost'
        ? { kind: 'killed', by: error.message }
        : { kind: 'ledger-lost', detail: error.message },
    );
  }

  #move(
    from: readonly Run['state'][],
    to: Run['state'],
    facts: { reason?: string | null; result?: string | null; error?: WireError | LabErrorData | null },
  ): LedgerWrite {
    const { at, claim } = stamp(this.#context);
    const { reason = null, result = null, error = null } = facts;
    return { tag: 'run/move', at, ...claim, revision: null, from, to, reason, result, error };
  }

  #crashPoint(index: number, state: 'fired' | 'missed', operation: OperationId | null = null): LedgerWrite {
    const { at, attempt } = stamp(this.#context);
    return { tag: 'attempt/crash-point', at, run: this.#context.run.id, attempt, index, state, operation };
  }
}
