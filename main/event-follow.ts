import type { FollowEvents } from '../runtime/contract/index.ts';
import type { Ledger } from '../runtime/engine/index.ts';

const pageSize = 200;

/**
 * Follows a run's events by reading them from the ledger, woken by its commits: what is kept per follower is a number,
 * however slow it is.
 */
export function followLedger(ledger: Pick<Ledger, 'events' | 'onEvent'>): FollowEvents {
  return (run, after, listener) => {
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
          for (const event of page) {
            // `stopped` may be set while a listener is waited for.
            // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
            if (stopped) return;
            cursor = event.sequence;
            await listener(event);
          }
        }
      } finally {
        pumping = false;
      }
    }

    // A ledger that cannot be read, or a listener that is gone, ends the following; calls in flight say why.
    const wake = (): void => void pump().catch(() => stop());
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
