import type { LabEvent, Run, Takes } from '../runtime/contract/index.ts';
import { asLabError, isLive, isTerminal, type LabError } from '../runtime/core/index.ts';
import type { Claim, Finding } from './claim.ts';
import { gatherFacts, type RunFacts } from './run-facts.ts';
import type { ScenarioLab } from './scenario.ts';

export interface StartOrder {
  readonly folder: string;
  readonly input: object;
  readonly crashPlan?: readonly string[];
  readonly recovery?: 'off' | 'immediate';
}

/** A command that was to be refused, with the run before and after it. */
export interface RefusalFacts {
  /** Null when it was not refused. */
  readonly refusal: LabError | null;
  readonly before: RunFacts;
  readonly after: RunFacts;
}

export type Decision = Takes<'run/reconcile'>['decision'];

/** Whose name stands under what scenarios decide and change. */
export const person = 'scenario';

/** Who is told what the scenario does. */
export interface StageWatch {
  prove(this: void, name: string, finding: Finding): void;
  /** A run was started. */
  started(this: void, run: string): void;
}

/** What a scenario works with: the lab's commands, each followed by a look at all facts, and the list of evidence. */
export class Stage {
  readonly #lab: ScenarioLab;
  readonly #over: AbortSignal;
  readonly #watch: StageWatch;
  readonly #runs: string[] = [];
  /** Commands that are under way: they have their effect also when nobody waits for it any more. */
  readonly #commands = new Set<Promise<unknown>>();

  /** Once `over` is aborted, every call rejects with its reason and nothing is proved any more. */
  constructor(lab: ScenarioLab, over: AbortSignal, watch: StageWatch) {
    this.#lab = lab;
    this.#over = over;
    this.#watch = watch;
  }

  /** The runs that were started, in order. */
  get runs(): readonly string[] {
    return this.#runs;
  }

  /** A copy of a relay that this scenario may change. */
  relayFolder(name: string): string {
    return this.#lab.relayFolder(name);
  }

  start({ folder, input, crashPlan = [], recovery = 'off' }: StartOrder): Promise<Run> {
    return this.#command(async () => {
      const order = { folder, input: JSON.stringify(input), id: null, crashPlan: [...crashPlan], recovery };
      const run = await this.#lab.client.call('run/start', order);
      this.#runs.push(run.id);
      this.#watch.started(run.id);
      return run;
    });
  }

  /** Starts a run and waits until it is at rest. */
  async play(order: StartOrder): Promise<RunFacts> {
    return this.settle((await this.start(order)).id);
  }

  /** Waits until the run is at rest. */
  async settle(run: string): Promise<RunFacts> {
    await this.#unlessOver(() => this.#lab.client.call('run/settled', { run }));
    return this.facts(run);
  }

  facts(run: string): Promise<RunFacts> {
    return this.#unlessOver(() => gatherFacts(this.#lab, run));
  }

  async recover({ run }: RunFacts): Promise<RunFacts> {
    await this.#recover(run);
    return this.settle(run.id);
  }

  /** Tries a recovery that is to be refused. */
  async recoverInVain(before: RunFacts): Promise<RefusalFacts> {
    const refusal = await this.#recover(before.run).then(
      () => null,
      (thrown: unknown) => {
        this.#over.throwIfAborted();
        return asLabError(thrown);
      },
    );
    return { refusal, before, after: await this.settle(before.run.id) };
  }

  /** Decides the run's one uncertain operation and waits until the run is at rest. */
  async decide({ run, operations }: RunFacts, decision: Decision): Promise<RunFacts> {
    const operation = operations.find(({ uncertain }) => uncertain);
    if (operation === undefined) throw new Error(`run ${run.id} has no uncertain operation to decide`);
    const { id, revision } = run;
    await this.#command(() =>
      this.#lab.client.call('run/reconcile', {
        ...{ run: id, revision, operation: operation.id, decision },
        by: person,
        crashPlan: [],
      }),
    );
    return this.settle(id);
  }

  /** Gives the run as it stands right after it was asked to stop. */
  async cancel(id: string, graceMs: number): Promise<Run> {
    const { run } = await this.#unlessOver(() => this.#lab.client.call('run/show', { run: id }));
    return this.#command(() => this.#lab.client.call('run/cancel', { run: id, revision: run.revision, graceMs }));
  }

  async permit(resource: string, granted: boolean): Promise<void> {
    await this.#command(() => this.#lab.client.call('permission/set', { resource, granted, by: person }));
  }

  /** Does something while a permission is withdrawn. It is given back whatever happens. */
  async withoutPermission<T>(resource: string, work: () => Promise<T>): Promise<T> {
    try {
      await this.permit(resource, false);
      return await work();
    } finally {
      // Not by `permit`: it is given back also when the scenario is over, then after it was surely taken.
      await Promise.allSettled(this.#commands);
      await this.#lab.client.call('permission/set', { resource, granted: true, by: person });
    }
  }

  /** Resolves with the first event that fits, of those that are there and those to come. */
  async event(run: string, fits: (event: LabEvent) => boolean): Promise<LabEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<LabEvent>();
    const take = (events: readonly LabEvent[]): void => {
      const found = events.find(fits);
      if (found !== undefined) resolve(found);
    };
    const stop = this.#lab.client.follow('run/events', { run, after: 0 }, take, reject);
    return this.#unlessOver(() => promise).finally(stop);
  }

  /** Looks at the facts for each claim, and keeps what was found as evidence. */
  prove<Facts>(claims: readonly Claim<Facts>[], facts: Facts): void {
    this.#over.throwIfAborted();
    for (const { name, look } of claims)
      this.#watch.prove(
        name,
        findingOf(() => look(facts)),
      );
  }

  /** Ends what a scenario that went wrong has left running. */
  async clear(): Promise<void> {
    await Promise.allSettled(this.#commands);
    for (const id of this.#runs) await this.#end(id);
  }

  async #end(run: string): Promise<void> {
    const { client } = this.#lab;
    for (let looks = 0; looks < 10; looks += 1) {
      const { state, revision, recovery } = (await client.call('run/show', { run })).run;
      // A run that recovers by itself would outlive a kill.
      const returns = recovery === 'immediate' && !isTerminal(state);
      if (!isLive(state) && !returns) return;
      const ending = returns
        ? client.call('run/cancel', { run, revision, graceMs: 0 }).then(() => client.call('run/settled', { run }))
        : client.call('run/kill', { run, revision });
      // Refused when the run has moved meanwhile: the next look tells.
      await ending.catch(() => undefined);
    }
  }

  async #recover({ id, revision }: Run): Promise<void> {
    const order = { run: id, revision, crashPlan: [], recovery: null };
    await this.#command(() => this.#lab.client.call('run/recover', order));
  }

  #command<T>(send: () => Promise<T>): Promise<T> {
    return this.#unlessOver(() => {
      const command = send();
      this.#commands.add(command);
      void command.catch(() => undefined).then(() => this.#commands.delete(command));
      return command;
    });
  }

  async #unlessOver<T>(begin: () => Promise<T>): Promise<T> {
    this.#over.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(this.#over.reason as Error);
    this.#over.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([begin(), promise]);
    } finally {
      this.#over.removeEventListener('abort', stop);
    }
  }
}

/** Facts that cannot be read as the claim expects them are a finding too. */
function findingOf(look: () => Finding): Finding {
  try {
    return look();
  } catch (thrown) {
    return { actual: `cannot be told: ${thrown instanceof Error ? thrown.message : String(thrown)}`, ok: false };
  }
}
