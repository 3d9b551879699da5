import { z } from 'zod';
import { belongsTo, type Subject } from './request-reference.ts';

/** What `POST /control/hold` and `POST /control/release` take. */
export const holdSubject = z.strictObject({ run: z.string().min(1), operation: z.string().min(1).nullable() });

interface Hold {
  readonly subject: Subject;
  readonly tell: (path: string) => void;
  readonly freed: Promise<void>;
  readonly free: () => void;
  isHolding: boolean;
}

/** Answers that are held back after their work is durable. Each hold takes one answer, the next that it fits. */
export class AnswerHolds {
  readonly #holds = new Set<Hold>();

  /** `tell` is called with the path of the request once its answer is held. The returned function withdraws the hold. */
  add(subject: Subject, tell: (path: string) => void): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hold: Hold = { subject, tell, freed: promise, free: resolve, isHolding: false };
    this.#holds.add(hold);
    return () => {
      if (!hold.isHolding) this.#holds.delete(hold);
    };
  }

  /** Waits as long as this answer is to be held, or until its asker is gone. */
  async pass(path: string, reference: string | null, gone: AbortSignal): Promise<void> {
    const hold = [...this.#holds].find((one) => !one.isHolding && belongsTo(reference, one.subject));
    if (hold === undefined) return;
    hold.isHolding = true;
    gone.addEventListener('abort', hold.free, { once: true });
    hold.tell(path);
    await hold.freed;
    this.#holds.delete(hold);
  }

  /** Frees the held answers of a subject, or all; gives their number. Holds that have not taken one are withdrawn. */
  release(subject: Subject | null): number {
    const meant = [...this.#holds].filter(
      ({ subject: { run, operation } }) => subject === null || (run === subject.run && operation === subject.operation),
    );
    for (const hold of meant) {
      hold.free();
      this.#holds.delete(hold);
    }
    return meant.filter((hold) => hold.isHolding).length;
  }
}
