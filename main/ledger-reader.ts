import type { ClientService, Run } from '../runtime/contract/index.ts';
import { isLive } from '../runtime/core/index.ts';
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
  const ledger = open === null ? emptyLedger : withoutHost(open);
  return {
    handlers: {
      ...readingHandlers(ledger),
      'scenario/list': async () => (await import('./scenario-handlers.ts')).listScenarios(),
      'run/settled': ({ run }) => new Promise((resolve) => resolve(showRun(ledger, run))),
    },
    feeds: {
      'run/events': followLedger({ events: (run, page) => ledger.events(run, page), onEvent: () => () => undefined }),
    },
    close: () => open?.close(),
  };
}

/** No host has it open, so whatever it says is alive is not: its host is gone, and nobody has said so yet. */
function withoutHost(ledger: ReadableLedger): ReadableLedger {
  const told = (run: Run): Run => (isLive(run.state) ? { ...run, reason: hostGone } : run);
  return {
    run(id) {
      const run = ledger.run(id);
      return run === null ? null : told(run);
    },
    listRuns: (page) => ledger.listRuns(page).map(told),
    attempts: (run) => ledger.attempts(run),
    operations: (run, page) => ledger.operations(run, page),
    events: (run, page) => ledger.events(run, page),
    receipts: (run, operation) => ledger.receipts(run, operation),
    permissions: () => ledger.permissions(),
    artifacts: (run) => ledger.artifacts(run),
  };
}

const hostGone =
  'its host is gone without a word: the next command that works on this folder ends what is left of it and marks it, for example run recover';

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
