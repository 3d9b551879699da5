import type { Handlers, RunDetail } from '../runtime/contract/index.ts';
import { LabError, type JsonObject, type OperationId } from '../runtime/core/index.ts';
import type { ReadOnlyLedger } from '../runtime/store/index.ts';

/** What reading needs of a ledger. */
export type ReadableLedger = Pick<
  ReadOnlyLedger,
  'run' | 'attempts' | 'operations' | 'listRuns' | 'events' | 'receipts' | 'permissions' | 'artifacts'
>;

export type ReadingCall =
  'run/list' | 'run/show' | 'run/operations' | 'run/events' | 'run/receipts' | 'run/export' | 'permission/list';

/** Operations that `run/show` gives at once; the others are read page by page. */
export const firstPage = 500;

export function showRun(ledger: ReadableLedger, id: string): RunDetail {
  const run = ledger.run(id);
  if (run === null) throw noRun(id);
  return {
    run,
    attempts: ledger.attempts(id),
    operations: ledger.operations(id, { after: null, limit: firstPage }),
  };
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

export function readingHandlers(ledger: ReadableLedger): Pick<Handlers, ReadingCall> {
  const known = <Gives>(id: string, read: () => Gives): Gives => {
    if (ledger.run(id) === null) throw noRun(id);
    return read();
  };
  return {
    'run/list': (page) => answer(() => ledger.listRuns(page)),
    'run/show': ({ run }) => answer(() => showRun(ledger, run)),
    'run/operations': ({ run, ...page }) => answer(() => known(run, () => ledger.operations(run, page))),
    'run/events': ({ run, ...page }) => answer(() => known(run, () => ledger.events(run, page))),
    'run/receipts': ({ run, operation }) => answer(() => known(run, () => ledger.receipts(run, operation))),
    'run/export': ({ run }) => answer(() => exportRun(ledger, run)),
    'permission/list': () => answer(() => ledger.permissions()),
  };
}

function noRun(id: string): LabError {
  return new LabError('not-found', `there is no run ${id}`, 'List them with: recovery-lab run list');
}

/** Reads now; what it throws is the answer's rejection. */
function answer<Gives>(read: () => Gives): Promise<Gives> {
  return new Promise((resolve) => resolve(read()));
}
