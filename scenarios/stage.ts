import type { LabEvent, Run, Takes } from '../runtime/contract/index.ts';
import { asLabError, isLive, type LabError } from '../runtime/core/index.ts';
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

/** What a scenario works with: the lab's commands, each followed by a look at all facts, and the list of evidence. */
export class Stage {
  readonly #lab: ScenarioLab;
  readonly #over: AbortSignal;
  readonly #prove: (name: string, finding: Finding) => void;
  readonly #runs: string[] = [];

  /** Once `over` is aborted, every call rejects with its reason and nothing is proved any more. */
  constructor(lab: ScenarioLab, over: AbortSignal, prove: (name: string, finding: Finding) => void) {
    this.#lab = lab;
    this.#over = over;
    this.#prove = prove;
  }

  /** The runs that were started, in order. */
  get runs(): readonly string[] {
    return this.#runs;
  }

  /** A copy of a relay that this scenario may change. */
  relayFolder(name: string): string {
    return this.#lab.relayFolder(name);
  }

  async start({ folder, input, crashPlan = [], recovery = 'off' }: StartOrder): Promise<Run> {
    const run = await this.#unlessOver(
      this.#lab.client.call('run/start', {
        folder,
        input: JSON.stringify(input),
        id: null,
        crashPlan: [...crashPlan],
        recovery,
      }),
    );
    this.#runs.push(run.id);
    return run;
  }

  /** Starts a run and waits until it is at rest. */
  async play(order: StartOrder): Promise<RunFacts> {
    return this.settle((await this.start(order)).id);
  }

  /** Waits until the run is at rest. */
  async settle(run: string): Promise<RunFacts> {
    await this.#unlessOver(this.#lab.client.call('run/settled', { run }));
    return this.facts(run);
  }

  facts(run: string): Promise<RunFacts> {
    return this.#unlessOver(gatherFacts(this.#lab, run));
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
    await this.#unlessOver(
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
    const { run } = await this.#unlessOver(this.#lab.client.call('run/show', { run: id }));
    return this.#unlessOver(this.#lab.client.call('run/cancel', { run: id, revision: run.revision, graceMs }));
  }

  async permit(resource: string, granted: boolean): Promise<void> {
    await this.#unlessOver(this.#lab.client.call('permission/set', { resource, granted, by: person }));
  }

  /** Does something while a permission is withdrawn. It is given back whatever happens. */
  async withoutPermission<T>(resource: string, work: () => Promise<T>): Promise<T> {
    await this.permit(resource, false);
    try {
      return await work();
    } finally {
      // Not by `permit`: it is given back also when the scenario is over.
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
    return this.#unlessOver(promise).finally(stop);
  }

  /** Looks at the facts for each claim, and keeps what was found as evidence. */
  prove<Facts>(claims: readonly Claim<Facts>[], facts: Facts): void {
    this.#over.throwIfAborted();
    for (const { name, look } of claims)
      this.#prove(
        name,
        findingOf(() => look(facts)),
      );
  }

  /** Ends what a scenario that went wrong has left running. */
  async clear(): Promise<void> {
    for (const id of this.#runs) {
      const { run } = await this.#lab.client.call('run/show', { run: id });
      if (isLive(run.state)) await this.#lab.client.call('run/kill', { run: id, revision: run.revision });
    }
  }

  async #recover({ id, revision }: Run): Promise<void> {
    await this.#unlessOver(this.#lab.client.call('run/recover', { run: id, revision, crashPlan: [], recovery: null }));
  }

  async #unlessOver<T>(work: Promise<T>): Promise<T> {
    this.#over.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(this.#over.reason as Error);
    this.#over.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([work, promise]);
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
