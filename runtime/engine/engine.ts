import type { Run } from '../contract/index.ts';
import type { CrashPoint } from '../crash/index.ts';
import {
  asLabError,
  checkNewRunId,
  isLive,
  isTerminal,
  LabError,
  limits,
  type EndCause,
  type LedgerWrite,
} from '../core/index.ts';
import { AttemptExecution } from './attempt-execution.ts';
import { armedPlan } from './crash-plan.ts';
import { settleDeath, unansweredOperations } from './death-settlement.ts';
import type { EngineParts } from './engine-parts.ts';
import { forkWrites } from './fork-writes.ts';
import type { LivingAttempt } from './living-attempt.ts';
import type { ForkOrder, ReconcileOrder, Recovery, StartOrder } from './orders.ts';
import type { Release } from './ports.ts';
import { decisionWrites } from './reconciliation.ts';
import { admitRun } from './run-admission.ts';
import { RunFiles } from './run-files.ts';
import { commandedMove, findRun, findRunAt } from './run-lookup.ts';

export interface Engine {
  /** Resolves when the run is durable and its process is being started. */
  start(order: StartOrder): Promise<Run>;
  /** Resolves when nothing more happens to the run by itself. */
  settled(run: string): Promise<void>;
  recover(
    run: string,
    revision: number,
    options: { readonly crashPlan: readonly CrashPoint[]; readonly recovery: Recovery | null },
  ): Promise<Run>;
  cancel(run: string, revision: number, graceMs: number | null): Promise<Run>;
  kill(run: string, revision: number): Promise<Run>;
  /** The run's attempt that lives in this host. Throws `not-found` or `wrong-state`. */
  living(run: string): LivingAttempt;
  fork(order: ForkOrder): Promise<Run>;
  reconcile(order: ReconcileOrder): Promise<Run>;
  /** Ends what a dead host left behind. For a host's start, before it takes commands. */
  sweep(): Promise<{ run: string; became: Run['state'] }[]>;
  /** Runs with a live process. */
  active(): number;
  /** Ends live runs, as interrupted. */
  close(): Promise<void>;
}

export function openEngine(parts: EngineParts): Engine {
  return new RunEngine(parts);
}

class RunEngine implements Engine {
  readonly #parts: EngineParts;
  readonly #executions = new Map<string, { execution: AttemptExecution; rest: Promise<void> }>();
  #closing = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async start(order: StartOrder): Promise<Run> {
    const id = checkNewRunId(order.id ?? this.#parts.newId());
    const bindings = await this.#parts.bindings(order.release, order.input);
    await this.#commit([
      {
        tag: 'run/create',
        at: this.#now(),
        run: {
          id,
          relay: order.release.manifest.name,
          caller: order.caller,
          durability: order.release.manifest.relay_durability,
          input: order.input,
          bindings,
          attemptBudget: limits.attempts,
          deadlineMs: limits.runMs,
          recovery: order.recovery,
          draftFolder: order.draftFolder,
          forkedFrom: null,
        },
      },
    ]);
    return this.#admitAndClaim(this.#run(id), order.crashPlan, []);
  }

  async fork(order: ForkOrder): Promise<Run> {
    const { id, unit } = await forkWrites(this.#parts, order);
    await this.#commit(unit);
    return this.#admitAndClaim(this.#run(id), order.crashPlan, []);
  }

  async recover(
    id: string,
    revision: number,
    options: { readonly crashPlan: readonly CrashPoint[]; readonly recovery: Recovery | null },
  ): Promise<Run> {
    const run = findRunAt(this.#parts.ledger, id, revision);
    const at = this.#now();
    const unanswered = unansweredOperations(this.#parts.ledger, id);
    if (run.state === 'needs_reconciliation' && unanswered.length > 0) {
      throw new LabError(
        'wrong-state',
        `run ${id} needs a decision on operation ${unanswered.join(', ')} before it can recover`,
        `Decide with: recovery-lab run reconcile ${id} --operation ${unanswered[0] ?? ''} --accept JSON | --again | --fail TEXT`,
      );
    }
    if (!['interrupted', 'queued', 'needs_reconciliation'].includes(run.state)) {
      throw new LabError(
        'wrong-state',
        `run ${id} is ${run.state}; only an interrupted run is recovered`,
        isTerminal(run.state) ? 'Fork it to make a new run from one of its operations.' : '',
        { state: run.state },
      );
    }
    const requeue: LedgerWrite[] =
      run.state === 'queued' ? [] : [commandedMove(this.#now(), run, [run.state], 'queued', revision)];
    const policy: LedgerWrite[] =
      options.recovery === null || options.recovery === run.recovery
        ? []
        : [{ tag: 'run/set-recovery', at, run: id, revision: revision + requeue.length, recovery: options.recovery }];
    return this.#admitAndClaim(run, options.crashPlan, [...requeue, ...policy]);
  }

  async cancel(id: string, revision: number, graceMs: number | null): Promise<Run> {
    const run = findRunAt(this.#parts.ledger, id, revision);
    const running = this.#executions.get(id);
    if (isLive(run.state) && running !== undefined && run.state !== 'cancel_requested') {
      await this.#commit([
        commandedMove(this.#now(), run, ['running', 'waiting'], 'cancel_requested', revision, 'a person cancelled it'),
      ]);
      running.execution.cancel('the run was cancelled', graceMs ?? limits.cancelGraceMs);
      return this.#run(id);
    }
    await this.#commit([
      commandedMove(
        this.#now(),
        run,
        ['queued', 'interrupted', 'needs_reconciliation', 'waiting'],
        'cancelled',
        revision,
      ),
    ]);
    await this.#writeOutcome(id);
    return this.#run(id);
  }

  async kill(id: string, revision: number): Promise<Run> {
    findRunAt(this.#parts.ledger, id, revision);
    const execution = this.#execution(id);
    execution.kill({ kind: 'killed', by: 'a person' });
    await execution.ended;
    return this.#run(id);
  }

  living(id: string): LivingAttempt {
    return this.#execution(id).living;
  }

  async reconcile(order: ReconcileOrder): Promise<Run> {
    await this.#commit(decisionWrites(this.#parts, order));
    const decided = this.#run(order.run);
    if (isTerminal(decided.state)) {
      await this.#writeOutcome(decided.id);
      return decided;
    }
    if (unansweredOperations(this.#parts.ledger, decided.id).length > 0) return decided;
    return this.recover(decided.id, decided.revision, { crashPlan: order.crashPlan, recovery: null });
  }

  async settled(id: string): Promise<void> {
    this.#run(id);
    for (let running = this.#executions.get(id); running !== undefined; running = this.#executions.get(id)) {
      await running.rest;
    }
  }

  async sweep(): Promise<{ run: string; became: Run['state'] }[]> {
    const { ledger, supervisor } = this.#parts;
    const swept: { run: string; became: Run['state'] }[] = [];
    for (const run of ledger.runsInStates(['running', 'waiting', 'cancel_requested'])) {
      if (run.holder !== null && run.holder.pid !== supervisor.self.pid && supervisor.isAlive(run.holder)) continue;
      if (this.#executions.has(run.id)) continue;
      const attempt = ledger.attempts(run.id).at(-1);
      const cause: EndCause = { kind: 'host-gone' };
      if (attempt?.process != null) await supervisor.endLeftover(attempt.process);
      const at = this.#now();
      const end: LedgerWrite[] =
        attempt?.endedAt === null ? [{ tag: 'attempt/ended', at, run: run.id, attempt: attempt.number, cause }] : [];
      await this.#commit([...end, ...settleDeath(ledger, run, cause, at)]);
      await this.#writeOutcome(run.id);
      swept.push({ run: run.id, became: this.#run(run.id).state });
    }
    return swept;
  }

  active(): number {
    return this.#executions.size;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const running = [...this.#executions.values()];
    for (const { execution } of running) execution.kill({ kind: 'killed', by: 'the host, which is closing' });
    await Promise.all(running.map(({ rest }) => rest));
  }

  /** The checks of guarantee 6, then `before` and the claim in one transaction, then the process. */
  async #admitAndClaim(run: Run, plan: readonly CrashPoint[], before: readonly LedgerWrite[]): Promise<Run> {
    const { release, receipt } = await admitRun(this.#parts, run);
    const revision = run.revision + before.length;
    const claim: LedgerWrite = {
      tag: 'run/claim',
      at: this.#now(),
      run: run.id,
      revision,
      holder: this.#parts.supervisor.self,
      crashPlan: armedPlan(plan),
    };
    if (this.#closing) throw new LabError('locked', 'this host is closing and starts nothing any more');
    await this.#commit([receipt, ...before, claim]);
    const claimed = this.#run(run.id);
    this.#execute(claimed, release, plan);
    return claimed;
  }

  #execute(run: Run, release: Release, plan: readonly CrashPoint[]): void {
    const files = new RunFiles(this.#parts.runsFolder, run.id);
    const execution = new AttemptExecution(this.#parts, {
      run,
      release,
      plan,
      files,
      commands: {
        cancel: async (id) => {
          await this.cancel(id, this.#run(id).revision, null);
        },
        fork: (id, operation, newId) =>
          this.fork({ run: id, operation, id: newId, input: null, crashPlan: [], recovery: run.recovery }),
      },
    });
    void execution.begin();
    const rest = execution.ended
      .then(() => this.#afterAttempt(run.id))
      .finally(() => {
        if (this.#executions.get(run.id)?.execution === execution) this.#executions.delete(run.id);
      });
    this.#executions.set(run.id, { execution, rest });
  }

  #execution(id: string): AttemptExecution {
    const { state } = this.#run(id);
    const running = this.#executions.get(id);
    if (running !== undefined && isLive(state)) return running.execution;
    const next = isTerminal(state) ? '' : `Start the next attempt with: recovery-lab run recover ${id}`;
    throw new LabError('wrong-state', `run ${id} is ${state}: no process of it lives in this host`, next, { state });
  }

  /** What follows an attempt by itself: the next one, when the run's policy says so. */
  async #afterAttempt(id: string): Promise<void> {
    try {
      const run = this.#run(id);
      if (run.state === 'interrupted' && run.recovery === 'immediate' && !this.#closing) {
        await this.recover(id, run.revision, { crashPlan: [], recovery: null });
        return;
      }
      await this.#writeOutcome(id);
    } catch (thrown) {
      await this.#noteRefusal(id, asLabError(thrown));
    }
  }

  /** A run that is not recovered says why (guarantee 8). */
  async #noteRefusal(id: string, error: LabError): Promise<void> {
    const data = { refused: 'automatic recovery', ...error.toData() };
    const at = this.#now();
    await this.#parts.ledger
      .commit([{ tag: 'event/add', at, run: id, type: 'note', attempt: null, operation: null, data }])
      .catch(() => {
        // The ledger itself is what failed; the run stands as it last did.
      });
  }

  async #writeOutcome(id: string): Promise<void> {
    await new RunFiles(this.#parts.runsFolder, id).writeOutcome(this.#parts.ledger, this.#now());
  }

  #run(id: string): Run {
    return findRun(this.#parts.ledger, id);
  }

  async #commit(unit: readonly LedgerWrite[]): Promise<void> {
    await this.#parts.ledger.commit(unit);
  }

  #now(): number {
    return this.#parts.clock.now();
  }
}
