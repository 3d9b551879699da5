import type { LabClient, Operation, Run, RunDetail } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import { firstPage } from '../reading-handlers.ts';

const pageSize = 100;
const namedInError = 5;

/** The run that is meant: by its whole id, or by the beginning of it when no other run's id begins so. */
export async function findRun(client: LabClient, text: string): Promise<RunDetail> {
  try {
    return await client.call('run/show', { run: text });
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'not-found') throw error;
    const matches = await runsBeginning(client, text);
    const [only, ...others] = matches;
    if (only === undefined) throw error;
    if (others.length === 0) return client.call('run/show', { run: only });
    const listed = matches.slice(0, namedInError).join(', ');
    throw new LabError(
      'invalid-input',
      `the run id ${text} is not clear: ${listed}${matches.length > namedInError ? ' and more' : ''} begin so`,
      'Write more of the id.',
    );
  }
}

async function runsBeginning(client: LabClient, text: string): Promise<string[]> {
  const matches: string[] = [];
  for await (const run of allRuns(client, { relay: null, state: null })) {
    if (run.id.startsWith(text)) matches.push(run.id);
    if (matches.length > namedInError) break;
  }
  return matches;
}

/** Newest first. */
export async function* allRuns(
  client: LabClient,
  filter: { readonly relay: string | null; readonly state: Run['state'] | null },
): AsyncGenerator<Run> {
  let before: { createdAt: number; id: string } | null = null;
  for (;;) {
    const page: Run[] = await client.call('run/list', { before, limit: pageSize, ...filter });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    before = { createdAt: last.createdAt, id: last.id };
  }
}

/** The detail with all of its operations, where it held the first page of them. */
export async function withAllOperations(client: LabClient, detail: RunDetail): Promise<RunDetail> {
  if (detail.operations.length < firstPage) return detail;
  const operations: Operation[] = [...detail.operations];
  for (let last = operations.at(-1); last !== undefined;) {
    const page: Operation[] = await client.call('run/operations', { run: detail.run.id, after: last.id, limit: 500 });
    operations.push(...page);
    last = page.at(-1);
  }
  return { ...detail, operations };
}
