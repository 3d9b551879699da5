import type { LabEvent } from '../../runtime/contract/index.ts';
import type { OpenLedger } from '../../runtime/store/index.ts';

/** Resolves with the first event of the run that fits, of those that are there and those to come. */
export async function eventOf(
  ledger: Pick<OpenLedger, 'events' | 'onEvent'>,
  run: string,
  fits: (event: LabEvent) => boolean,
): Promise<LabEvent> {
  const { promise, resolve } = Promise.withResolvers<LabEvent>();
  const stop = ledger.onEvent((event) => {
    if (event.run === run && fits(event)) resolve(event);
  });
  const there = ledger.events(run, { after: 0, limit: 10_000 }).find(fits);
  if (there !== undefined) resolve(there);
  return promise.finally(stop);
}
