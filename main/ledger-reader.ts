import type { ClientService } from '../runtime/contract/index.ts';
import { openLedgerReadOnly } from '../runtime/store/index.ts';
import { readingHandlers, showRun, type ReadableLedger } from './reading-handlers.ts';

export interface LedgerReader extends ClientService {
  close(): void;
}

/** Reads a ledger that no host has open; null is a data folder in which nothing has run yet. */
export function openReader(file: string | null): LedgerReader {
  const open = file === null ? null : openLedgerReadOnly({ file });
  const ledger = open ?? emptyLedger;
  return {
    // Nothing moves here: a run is as much at rest as it will be, and has no events to come.
    handlers: {
      ...readingHandlers(ledger),
      'run/settled': ({ run }) => new Promise((resolve) => resolve(showRun(ledger, run))),
    },
    follow(run, after, listener) {
      let stopped = false;
      void (async () => {
        for (let cursor = after; ; ) {
          const page = ledger.events(run, { after: cursor, limit: 200 });
          for (const event of page) {
            // It may be stopped while the listener is waited for.
            // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
            if (stopped) return;
            await listener(event);
            cursor = event.sequence;
          }
          if (page.length === 0) return;
        }
      })();
      return () => void (stopped = true);
    },
    close: () => open?.close(),
  };
}

const emptyLedger: ReadableLedger = {
  run: () => null,
  attempts: () => [],
  operations: () => [],
  listRuns: () => [],
  events: () => [],
  receipts: () => [],
  permissions: () => [],
};
