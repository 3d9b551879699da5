import type { Feeds } from '../runtime/contract/index.ts';
import type { Ledger } from '../runtime/engine/index.ts';

const pageSize = 200;

/**
 * Follows a run's events by reading them from the ledger, woken by its commits: what is kept per follower is a number,
 * however slow it is.
 */
export function followLedger(ledger: Pick<Ledger, 'events' | 'onEvent'>): Feeds['run/events'] {
  return ({ run, after }, outlet) => {
    let cursor = after;
    let stopped = false;
    let pumping = false;
    let woken = false;

    async function pump(): Promise<void> {
      woken = true;
      if (pumping) return;
      pumping = true;
      try {
        while (woken && !stopped) {
          const page = ledger.events(run, { after: cursor, limit: pageSize });
          woken = page.length === pageSize;
          const last = page.at(-1);
          if (last === undefined) continue;
          cursor = last.sequence;
          await outlet.give(page);
        }
      } finally {
        pumping = false;
      }
    }

    const wake = (): void =>
      void pump().catch((error: unknown) => {
        stop();
        outlet.fail(error);
      });
    const unsubscribe = ledger.onEvent((event) => {
      if (event.run === run) wake();
    });
    const stop = (): void => {
      stopped = true;
      unsubscribe();
    };
    wake();
    return stop;
  };
}
