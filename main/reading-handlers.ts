import { join } from 'node:path';
import type { Gives, Handlers, OperationDetail, Run, RunDetail } from '../runtime/contract/index.ts';
import { LabError, type JsonObject, type OperationId } from '../runtime/core/index.ts';
import type { ReadOnlyLedger } from '../runtime/store/index.ts';
import type { DataFolder } from './data-folder.ts';
import { listRunFiles, readRunFile } from './run-files.ts';

/** What reading needs of a ledger. */
export type ReadableLedger = Pick<
  ReadOnlyLedger,
  | 'run'
  | 'attempts'
  | 'operation'
  | 'operations'
  | 'listRuns'
  | 'events'
  | 'tries'
  | 'receipts'
  | 'permissions'
  | 'artifacts'
>;

export type ReadingCall =
  | 'run/list'
  | 'run/show'
  | 'run/operation'
  | 'run/operations'
  | 'run/events'
  | 'run/receipts'
  | 'run/files'
  | 'run/file'
  | 'run/service-records'
  | 'run/export'
  | 'relay/operations'
  | 'permission/list';

/** Operations that `run/show` gives at once; the others are read page by page. */
export const firstPage = 500;

export function showRun(ledger: ReadableLedger, id: string): RunDetail {
  return {
    run: requireRun(ledger, id),
    attempts: ledger.attempts(id),
    operations: ledger.operations(id, { after: null, limit: firstPage }),
  };
}

/** Throws `not-found` when there is no such run. */
export function requireRun(ledger: Pick<ReadableLedger, 'run'>, id: string): Run {
  const run = ledger.run(id);
  if (run !== null) return run;
  throw new LabError('not-found', `there is no run ${id}`, 'List them with: recovery-lab run list');
}

function showOperation(ledger: ReadableLedger, run: string, id: OperationId): OperationDetail {
  requireRun(ledger, run);
  const operation = ledger.operation(run, id);
  if (operation === null) throw new LabError('not-found', `run ${run} has no operation ${id}`);
  return { operation, receipts: ledger.receipts(run, id), tries: ledger.tries(run, id) };
}

/** Operations of a relay's latest run, each with its place among those of its name; at most 1,000. */
function latestOperations(ledger: ReadableLedger, relay: string): Gives<'relay/operations'> {
  const [latest] = ledger.listRuns({ before: null, limit: 1, relay, state: null });
  if (latest === undefined) return [];
  const seen = new Map<string, number>();
  return ledger.operations(latest.id, { after: null, limit: 1000 }).map(({ id, kind, name }) => {
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return { id, kind, name, occurrence };
  });
}

/** Everything that the ledger holds of a run. */
function exportRun(ledger: ReadableLedger, id: string): JsonObject {
  const { run, attempts } = showRun(ledger, id);
  const operations = [
    ...allPages(
      (after: OperationId | null) => ledger.operations(id, { after, limit: 500 }),
      (last) => last.id,
      null,
    ),
  ];
  const events = [
    ...allPages(
      (after: number) => ledger.events(id, { after, limit: 500 }),
      (last) => last.sequence,
      0,
    ),
  ];
  const rest = { receipts: ledger.receipts(id, null), artifacts: ledger.artifacts(id) };
  return JSON.parse(JSON.stringify({ run, attempts, operations, ...rest, events })) as JsonObject;
}

function* allPages<Row, Mark>(read: (after: Mark) => Row[], markOf: (row: Row) => Mark, first: Mark): Generator<Row> {
  let mark = first;
  for (let page = read(mark); page.length > 0; page = read(mark)) {
    yield* page;
    mark = markOf(page[page.length - 1] as Row);
  }
}

/** What can be read without an engine: the ledger, the runs' folders, and the services' own databases. */
export function readingHandlers(
  ledger: ReadableLedger,
  folder: Pick<DataFolder, 'runs' | 'services'>,
): Pick<Handlers, ReadingCall> {
  const known = <Answer>(id: string, read: () => Answer): Answer => {
    requireRun(ledger, id);
    return read();
  };
  return {
    'run/list': (page) => answer(() => ledger.listRuns(page)),
    'run/show': ({ run }) => answer(() => showRun(ledger, run)),
    'run/operation': ({ run, operation }) => answer(() => showOperation(ledger, run, operation)),
    'run/operations': ({ run, ...page }) => answer(() => known(run, () => ledger.operations(run, page))),
    'run/events': ({ run, ...page }) => answer(() => known(run, () => ledger.events(run, page))),
    'run/receipts': ({ run, operation }) => answer(() => known(run, () => ledger.receipts(run, operation))),
    'run/files': ({ run }) => answer(() => known(run, () => listRunFiles(join(folder.runs, run)))),
    'run/file': ({ run, ...part }) => answer(() => known(run, () => readRunFile(join(folder.runs, run), part))),
    async 'run/service-records'({ run }) {
      requireRun(ledger, run);
      const { readServiceRequests } = await import('../scenarios/index.ts');
      return readServiceRequests(folder.services, run);
    },
    'relay/operations': ({ relay }) => answer(() => latestOperations(ledger, relay)),
    'run/export': ({ run }) => answer(() => exportRun(ledger, run)),
    'permission/list': () => answer(() => ledger.permissions()),
  };
}

/** Reads now; what it throws is the answer's rejection. */
function answer<Answer>(read: () => Answer | Promise<Answer>): Promise<Answer> {
  return new Promise((resolve) => resolve(read()));
}
