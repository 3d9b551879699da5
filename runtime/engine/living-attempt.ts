import type { Attempt } from '../contract/index.ts';
import { formatCrashPoint, whyPassed, type CrashPoint, type OperationPlace } from '../crash/index.ts';
import { LabError, parentId, toSortKey, type OperationId } from '../core/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';

interface NamedOperation {
  readonly id: OperationId;
  readonly name: string;
}

/** What a person can ask of an attempt while it lives, without a word to the relay's code. */
export class LivingAttempt {
  readonly #context: AttemptContext;
  /** Resolves once the relay's bodies wait for their intents, or it is gone. Null: nobody had to ask for it. */
  #asked: { readonly promise: Promise<void>; resolve(this: void): void } | null = null;

  constructor(context: AttemptContext) {
    this.#context = context;
  }

  /**
   * Adds a point to the plan. Resolves once it is durable and in force: what the attempt passes from then on is hit. A
   * time of phase `during` counts from the arming when the body, or the run, is at work already. Throws `wrong-state`
   * for a point that is armed already, or is known to be passed; one that is passed unknown to the host is missed.
   */
  async arm(point: CrashPoint): Promise<Attempt> {
    const { parts, gate, open } = this.#context;
    const text = formatCrashPoint(point);
    this.#requireAhead(point);
    if (point.on === 'operation') {
      const waits = this.#makeIntentsWait();
      // A relay that never yields answers nothing, and can be hit all the same in the operation that it is at.
      if (this.#place(point)?.is !== 'at-work') await waits;
    }
    this.#requireAhead(point);
    if (this.#attempt().crashPlan.some((one) => one.point === text && one.state === 'armed')) {
      throw new LabError('wrong-state', `the crash point ${text} is armed already`);
    }
    const { events } = await parts.ledger.commit([{ tag: 'attempt/arm', ...stamp(this.#context), point: text }]);
    const { index } = events[0]?.data as { readonly index: number };
    const place = this.#place(point);
    const atWork = place?.is === 'at-work' && open.has(place.id) ? place : null;
    await gate.arm({ index, point }, atWork, this.#begun());
    return this.#attempt();
  }

  /** Withdraws a point that is armed. Throws `not-found`, or `wrong-state` when it has fired or was withdrawn. */
  async disarm(point: CrashPoint): Promise<Attempt> {
    const { parts, gate, run } = this.#context;
    const text = formatCrashPoint(point);
    const { number, crashPlan } = this.#attempt();
    const index = crashPlan.findIndex((one) => one.point === text && one.state === 'armed');
    const last = crashPlan.findLast((one) => one.point === text);
    if (last === undefined) {
      const planned = crashPlan.map((one) => `${one.point} (${one.state})`).join(', ');
      throw new LabError(
        'not-found',
        `attempt ${number} of run ${run.id} has no crash point ${text}`,
        planned === '' ? 'Its plan is empty.' : `It has: ${planned}`,
      );
    }
    if (index === -1 || !gate.disarm(index)) {
      const state = index === -1 ? last.state : 'fired';
      throw new LabError('wrong-state', `the crash point ${text} is ${state}: only an armed one is withdrawn`, '', {
        state,
      });
    }
    const { at, attempt } = stamp(this.#context);
    const write = { tag: 'attempt/crash-point', at, run: run.id, attempt, index } as const;
    await parts.ledger.commit([{ ...write, state: 'withdrawn', operation: null }]);
    return this.#attempt();
  }

  /** Lets an operation that waits between two tries go on at once. Throws `wrong-state` when it does not wait. */
  async retryNow(operation: OperationId): Promise<void> {
    const { parts, run, open, retries } = this.#context;
    this.#requireAlive();
    const { at, attempt } = stamp(this.#context);
    if (!open.has(operation) || !retries.cut(operation, at)) {
      throw new LabError(
        'wrong-state',
        `operation ${operation} of run ${run.id} does not wait between two tries`,
        `Look at it with: recovery-lab run events ${run.id}`,
      );
    }
    const data = { asked: 'retry now' };
    await parts.ledger.commit([{ tag: 'event/add', at, run: run.id, type: 'note', attempt, operation, data }]);
    this.#context.send({ tag: 'retry-now', id: operation });
  }

  /** The relay has answered: every body that it begins from now on waits. */
  intentsWait(): void {
    this.#asked?.resolve();
  }

  #makeIntentsWait(): Promise<void> {
    const { gate, signal } = this.#context;
    if (this.#asked !== null) return this.#asked.promise;
    if (gate.waitForIntents) return Promise.resolve();
    gate.makeIntentsWait();
    // The start frame tells a relay that has not begun.
    if (!gate.passed.has('at-start')) return Promise.resolve();
    this.#asked = Promise.withResolvers<void>();
    signal.addEventListener('abort', this.#asked.resolve, { once: true });
    this.#context.send({ tag: 'wait-for-intents' });
    return this.#asked.promise;
  }

  #requireAlive(): void {
    const { run } = this.#context;
    if (!this.#context.isOver() && !this.#context.signal.aborted) return;
    throw new LabError('wrong-state', `attempt ${run.attempts} of run ${run.id} is at its end`);
  }

  #requireAhead(point: CrashPoint): void {
    this.#requireAlive();
    const why = whyPassed(point, { passed: this.#context.gate.passed, operation: this.#place(point) });
    if (why === null) return;
    throw new LabError(
      'wrong-state',
      `the crash point ${formatCrashPoint(point)} cannot be hit any more: ${why}`,
      'Choose a later point, or give it to the next attempt.',
    );
  }

  /** Where the attempt stands with the operation that a point names; null when nothing is known of it. */
  #place(point: CrashPoint): OperationPlace | null {
    if (point.on === 'run') return null;
    const named = point.operation;
    if ('id' in named) return this.#placeOf(named.id);
    const found = this.#begun().filter(({ name }) => name === named.name)[named.occurrence - 1];
    return found === undefined ? null : this.#placeOf(found.id);
  }

  #placeOf(id: OperationId): OperationPlace | null {
    const { parts, run, open } = this.#context;
    const above = parentId(id);
    const outer = above === null ? null : this.#placeOf(above);
    if (outer?.is === 'checkpointed') return outer;
    if (open.has(id)) return { ...open.named(id), is: 'at-work' };
    const found = parts.ledger.operation(run.id, id);
    if (found === null) return null;
    const { name, state, attempt } = found;
    if (state === 'checkpointed') return { id, name, is: 'checkpointed', here: attempt === run.attempts };
    return { id, name, is: attempt === run.attempts ? 'at-work' : 'ahead' };
  }

  /** Operations that the run has had so far, in program order. */
  #begun(): NamedOperation[] {
    const { parts, run, open } = this.#context;
    const recorded = parts.ledger.history(run.id);
    const known = new Set(recorded.map(({ id }) => id));
    const fresh = open.all().filter(({ id }) => !known.has(id));
    return [...recorded, ...fresh].sort((a, b) => (toSortKey(a.id) < toSortKey(b.id) ? -1 : 1));
  }

  #attempt(): Attempt {
    const { parts, run } = this.#context;
    const found = parts.ledger.attempts(run.id).find(({ number }) => number === run.attempts);
    if (found === undefined) throw new LabError('internal', `run ${run.id} has no attempt ${run.attempts}`);
    return found;
  }
}
