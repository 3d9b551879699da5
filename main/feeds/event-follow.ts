import type { Feeds } from '../../runtime/contract/index.ts';
import type { Ledger } from '../../runtime/engine/index.ts';
import { openPump } from './pump.ts';

const pageSize = 200;

/**
 * Follows a run's events by reading them from the ledger, woken by its commits: what is kept per follower is a number,
 * however slow it is.
 */
export function followLedger(ledger: Pick<Ledger, 'events' | 'onEvent'>): Feeds['run/events'] {
  return ({ run, after }, outlet) => {
    let cursor = after;
    const pump = openPump({
      everyMs: 0,
      async work(stopped) {
        for (let isMore = true; isMore && !stopped.aborted;) {
          const page = ledger.events(run, { after: cursor, limit: pageSize });
          const last = page.at(-1);
          if (last === undefined) return;
          cursor = last.sequence;
          isMore = page.length === pageSize;
          await outlet.give(page);
        }
      },
      release: () => unsubscribe(),
      fail: (error) => outlet.fail(error),
    });
    const unsubscribe = ledger.onEvent((event) => {
      if (event.run === run) pump.wake();
    });
    pump.wake();
    return pump.stop;
  };
}
