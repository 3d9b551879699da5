import type { ClientService } from '../runtime/contract/index.ts';
import { openLedgerReadOnly } from '../runtime/store/index.ts';
import { followLedger } from './event-follow.ts';
import { readingHandlers, showRun, type ReadableLedger } from './reading-handlers.ts';

export interface LedgerReader extends ClientService {
  close(): void;
}

/**
 * Reads a ledger that no host has open; null is a data folder in which nothing has run yet. Nothing moves there: a run
 * is as much at rest as it will be, and has no events to come.
 */
export function openReader(file: string | null): LedgerReader {
  const open = file === null ? null : openLedgerReadOnly({ file });
  const ledger = open ?? emptyLedger;
  return {
    handlers: {
      ...readingHandlers(ledger),
      'scenario/list': async () => (await import('./scenario-handlers.ts')).listScenarios(),
      'run/settled': ({ run }) => new Promise((resolve) => resolve(showRun(ledger, run))),
    },
    follow: followLedger({ events: (run, page) => ledger.events(run, page), onEvent: () => () => undefined }),
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
  artifacts: () => [],
};
