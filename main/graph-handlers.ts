import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Handlers } from '../runtime/contract/index.ts';
import type { OperationId } from '../runtime/core/index.ts';
import { graphEvent, graphOperation, runGraph, type GraphEvent, type GraphOperation } from '../runtime/graph/index.ts';
import { requireRun, type ReadableLedger } from './reading-handlers.ts';

const pageSize = 500;

type GraphLedger = Pick<ReadableLedger, 'run' | 'attempts' | 'operations' | 'events'>;

/** Reads page by page and lets others have their turn between, so that a long run holds nobody up. */
export function graphHandlers(ledger: GraphLedger): Pick<Handlers, 'run/graph'> {
  return {
    async 'run/graph'({ run }) {
      requireRun(ledger, run);
      // In this order: a run that goes on meanwhile has events of all that was read before them.
      const attempts = ledger.attempts(run);
      const operations = await allOperations(ledger, run);
      return runGraph({ attempts, operations, events: await allEvents(ledger, run) });
    },
  };
}

async function allEvents(ledger: GraphLedger, run: string): Promise<GraphEvent[]> {
  const all: GraphEvent[] = [];
  for (let after = 0; ;) {
    const page = ledger.events(run, { after, limit: pageSize });
    all.push(...page.flatMap((event) => graphEvent(event) ?? []));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return all;
    after = last.sequence;
    await nextTurn();
  }
}

async function allOperations(ledger: GraphLedger, run: string): Promise<GraphOperation[]> {
  const all: GraphOperation[] = [];
  for (let after: OperationId | null = null; ;) {
    const page = ledger.operations(run, { after, limit: pageSize });
    all.push(...page.map(graphOperation));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return all;
    after = last.id;
    await nextTurn();
  }
}
