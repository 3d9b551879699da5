import type { LabEvent } from '../contract/index.ts';
import { asLabError, LabError, limits } from '../core/index.ts';
import { packUnit } from './packed-unit.ts';
import { plainEvent } from './plain-event.ts';
import type { Committed, ToWriter, Unit, UnitOutcome } from './writer-messages.ts';

interface OpenCommit {
  readonly unit: Unit;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: LabError) => void;
}

/** Collects units on the calling thread, hands them over in few messages, and settles each when its outcome comes. */
export class GroupCommit {
  readonly #post: (message: ToWriter) => void;
  readonly #onEvent: (event: LabEvent) => void;
  /** Not handed over yet. */
  #waiting: OpenCommit[] = [];
  /** Handed over, in the order in which outcomes come. */
  readonly #sent: OpenCommit[] = [];
  #flushing = false;
  #lazyTimer: NodeJS.Timeout | null = null;
  #end: LabError | null = null;

  constructor(post: (message: ToWriter) => void, onEvent: (event: LabEvent) => void) {
    this.#post = post;
    this.#onEvent = onEvent;
  }

  commit(unit: Unit, lazy: boolean): Promise<Committed> {
    if (this.#end !== null) return Promise.reject(this.#end);
    const committed = new Promise<Committed>((resolve, reject) => this.#waiting.push({ unit, resolve, reject }));
    if (lazy) this.#lazyTimer ??= setTimeout(() => this.#onLazyTimer(), limits.lazyIntentMs);
    else this.#flushSoon();
    return committed;
  }

  /**
   * While the writer is free, as soon as the running code and its promises are done: nothing is gained by waiting. While
   * it is at work, after this turn of the event loop, so that what other sockets bring in goes in the same message.
   */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    if (this.#sent.length === 0) queueMicrotask(() => this.flush());
    else setImmediate(() => this.flush());
  }

  /** The timer is left running over flushes: then it comes early for the next lazy unit, never late. */
  #onLazyTimer(): void {
    this.#lazyTimer = null;
    this.flush();
  }

  flush(): void {
    this.#flushing = false;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      this.#send(batch);
    } catch {
      // Something in it cannot be handed to another thread. Find out whose it is.
      for (const commit of batch) {
        try {
          this.#send([commit]);
        } catch (thrown) {
          commit.reject(asLabError(thrown));
        }
      }
    }
  }

  #send(batch: OpenCommit[]): void {
    this.#post({ tag: 'units', units: batch.map((commit) => packUnit(commit.unit)) });
    this.#sent.push(...batch);
  }

  settle(outcomes: readonly UnitOutcome[]): void {
    for (const [at, commit] of this.#sent.splice(0, outcomes.length).entries()) this.#settleOne(commit, outcomes[at]);
  }

  #settleOne({ unit, resolve, reject }: OpenCommit, outcome: UnitOutcome | undefined): void {
    if (typeof outcome === 'number') {
      const event = plainEvent(unit[0], outcome);
      this.#onEvent(event);
      resolve({ epoch: null, events: [event] });
    } else if (outcome === undefined || 'refused' in outcome) {
      reject(
        outcome === undefined
          ? new LabError('ledger-failed', 'the writer gave no outcome')
          : LabError.fromData(outcome.refused),
      );
    } else {
      for (const event of outcome.events) this.#onEvent(event);
      resolve(outcome);
    }
  }

  /** Takes no more. What was taken is still handed over and settled. */
  refuse(error: LabError): void {
    this.#end ??= error;
  }

  /** Takes no more, and rejects whatever is open at once. */
  fail(error: LabError): void {
    this.refuse(error);
    if (this.#lazyTimer !== null) clearTimeout(this.#lazyTimer);
    const open = [...this.#sent.splice(0), ...this.#waiting.splice(0)];
    for (const commit of open) commit.reject(error);
  }
}
