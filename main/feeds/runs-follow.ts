import type { Feeds, LabEvent, Run } from '../../runtime/contract/index.ts';
import { openPump } from './pump.ts';

/** At most ten items a second for each follower. */
const everyMs = 100;

/**
 * Rows of runs that changed. Events that only add to a run's history change nothing in its row but the number of its
 * last event, and do not count.
 */
export function followRuns(ledger: {
  run(id: string): Run | null;
  onEvent(listener: (event: LabEvent) => void): () => void;
}): Feeds['lab/runs'] {
  return (_nothing, outlet) => {
    const changed = new Set<string>();
    const pump = openPump({
      everyMs,
      async work() {
        const ids = [...changed];
        changed.clear();
        await outlet.give(ids.flatMap((id) => ledger.run(id) ?? []));
      },
      release: () => unsubscribe(),
      fail: (error) => outlet.fail(error),
    });
    const unsubscribe = ledger.onEvent(({ run, type }) => {
      if (!type.startsWith('run.') && type !== 'operation.decided') return;
      changed.add(run);
      pump.wake();
    });
    return pump.stop;
  };
}
