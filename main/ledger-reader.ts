import type { ClientService, Run } from '../runtime/contract/index.ts';
import { isLive } from '../runtime/core/index.ts';
import type { Releases } from '../runtime/release/index.ts';
import { openLedgerReadOnly } from '../runtime/store/index.ts';
import { crashHandlers } from './crash-handlers.ts';
import { hasLedger, type DataFolder } from './data-folder.ts';
import { followLedger } from './feeds/event-follow.ts';
import { followOutput } from './feeds/output-follow.ts';
import { graphHandlers } from './graph-handlers.ts';
import { readingHandlers, showRun, type ReadableLedger } from './reading-handlers.ts';

export interface LedgerReader extends ClientService {
  close(): void;
}

/**
 * Reads a data folder that no host has open; it need not have a ledger yet. Nothing moves there: a run
 * is as much at rest as it will be, and has no events to come.
 */
export function openReader(folder: DataFolder): LedgerReader {
  const open = hasLedger(folder) ? openLedgerReadOnly({ file: folder.ledger }) : null;
  const ledger = open === null ? emptyLedger : withoutHost(open);
  return {
    handlers: {
      ...readingHandlers(ledger, folder),
      ...graphHandlers(ledger),
      ...crashHandlers,
      'release/list': async () => (await releasesOf(folder)).list(),
      'release/source': async ({ hash, path }) => ({ text: await (await releasesOf(folder)).source(hash, path) }),
      'scenario/list': async () => (await import('./scenario-handlers.ts')).listScenarios(),
      'run/settled': ({ run }) => new Promise((resolve) => resolve(showRun(ledger, run))),
    },
    feeds: {
      'run/events': followLedger({ events: (run, page) => ledger.events(run, page), onEvent: never }),
      'run/output': followOutput({ ledger, runsFolder: folder.runs, onEvent: never, onOutput: never }),
    },
    close: () => open?.close(),
  };
}

/** Nothing is ever told. */
const never = (): (() => void) => () => undefined;

/** Loaded when asked for: most commands that only read have no use for releases. */
async function releasesOf({ releases }: DataFolder): Promise<Releases> {
  const { openReleases } = await import('../runtime/release/index.ts');
  return openReleases({ folder: releases });
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
    operation: (run, id) => ledger.operation(run, id),
    operations: (run, page) => ledger.operations(run, page),
    events: (run, page) => ledger.events(run, page),
    tries: (run, operation) => ledger.tries(run, operation),
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
  operation: () => null,
  operations: () => [],
  listRuns: () => [],
  events: () => [],
  tries: () => [],
  receipts: () => [],
  permissions: () => [],
  artifacts: () => [],
};
