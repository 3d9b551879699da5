import type { RelayProcess } from './ports.ts';

/** Writes on which nobody waits, at which a relay is held back, and at which it may go on. */
const backlog = { most: 2000, few: 500 } as const;

/** Holds a relay back that says more than the ledger takes in, so that it cannot fill the host's memory. */
export class WriteBacklog {
  readonly #process: () => Pick<RelayProcess, 'pause' | 'resume'> | null;
  #open = 0;
  #paused = false;

  constructor(process: () => Pick<RelayProcess, 'pause' | 'resume'> | null) {
    this.#process = process;
  }

  /** Counts a write until it is durable or refused. */
  async count(write: Promise<void>): Promise<void> {
    this.#open += 1;
    if (!this.#paused && this.#open >= backlog.most) {
      this.#paused = true;
      this.#process()?.pause();
    }
    try {
      await write;
    } finally {
      this.#open -= 1;
      if (this.#paused && this.#open <= backlog.few) {
        this.#paused = false;
        this.#process()?.resume();
      }
    }
  }
}
