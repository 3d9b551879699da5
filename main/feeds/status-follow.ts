import { statSync } from 'node:fs';
import type { Feeds, LabEvent, LabStatus, ServiceState } from '../../runtime/contract/index.ts';
import type { Clock } from '../../runtime/core/index.ts';
import type { OpenLedger } from '../../runtime/store/index.ts';
import { OperationRate } from './operation-rate.ts';
import { openPump } from './pump.ts';

/** At most four times a second for each follower. */
const everyMs = 250;
/** While nothing happens any more, and the rate has yet to fall. */
const decayMs = 1000;

export interface StatusSources {
  readonly ledger: Pick<OpenLedger, 'runCounts' | 'lastEvent' | 'onEvent'>;
  readonly ledgerFile: string;
  readonly clock: Clock;
  services(this: void): ServiceState[];
}

/** Counts of the whole lab, for as long as it is open. The rate is counted also while nobody follows. */
export function followStatus({ ledger, ledgerFile, clock, services }: StatusSources): Feeds['lab/status'] {
  const rate = new OperationRate();
  const followers = new Set<() => void>();
  let last: LabEvent | null = ledger.lastEvent();
  ledger.onEvent((event) => {
    last = event;
    if (event.type === 'operation.checkpointed') rate.count(clock.now());
    for (const wake of followers) wake();
  });

  function status(): LabStatus {
    const at = clock.now();
    const lastEvent = last === null ? null : { run: last.run, sequence: last.sequence, type: last.type, at: last.at };
    return {
      at,
      runs: ledger.runCounts(),
      operationsPerSecond: rate.perSecond(at),
      // Looked at only: opening them would drop SQLite's locks on them.
      ledgerBytes: sizeOf(ledgerFile) + sizeOf(`${ledgerFile}-wal`),
      lastEvent,
      services: services(),
    };
  }

  return (_nothing, outlet) => {
    let decay: NodeJS.Timeout | undefined;
    const pump = openPump({
      everyMs,
      async work(stopped) {
        clearTimeout(decay);
        const now = status();
        await outlet.give(now);
        if (now.operationsPerSecond > 0 && !stopped.aborted) decay = setTimeout(pump.wake, decayMs);
      },
      release() {
        clearTimeout(decay);
        followers.delete(pump.wake);
      },
      fail: (error) => outlet.fail(error),
    });
    followers.add(pump.wake);
    pump.wake();
    return pump.stop;
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
