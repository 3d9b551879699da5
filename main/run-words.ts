import type { Attempt, Operation, Run, RunDetail } from '../runtime/contract/index.ts';
import { describeEnd, parentId, type OperationId } from '../runtime/core/index.ts';
import { printable, type Paint } from './output.ts';
import { duration, shortened, table } from './table.ts';

const stateStyles = {
  succeeded: 'green',
  failed: 'red',
  needs_reconciliation: 'yellow',
  interrupted: 'yellow',
  cancelled: 'gray',
  cancel_requested: 'yellow',
  queued: 'cyan',
  running: 'cyan',
  waiting: 'cyan',
} as const satisfies Record<Run['state'], Parameters<Paint>[0]>;

export function stateText(state: Run['state'], paint: Paint): string {
  return paint(stateStyles[state], state);
}

function attemptRow(attempt: Attempt): string[] {
  const points = attempt.crashPlan.map(({ point, state }) => `${point} ${state}`).join(', ');
  const took = attempt.endedAt === null ? '' : duration(attempt.endedAt - attempt.startedAt);
  const end =
    (attempt.cause === null ? 'not ended' : printable(describeEnd(attempt.cause))) +
    (points === '' ? '' : `  [${printable(points)}]`);
  return [
    `${attempt.number}`,
    attempt.process === null ? '-' : `${attempt.process.pid}`,
    `${attempt.reused}`,
    took,
    end,
  ];
}

function operationState(operation: Operation, paint: Paint): string {
  if (operation.uncertain) return paint('yellow', 'uncertain');
  if (operation.outcome === null) return 'intended';
  return operation.outcome.ok ? 'checkpointed' : paint('red', 'error kept');
}

/**
 * Operations that the last attempt was answered from history. Replay goes in program order, so they are the first ones
 * that an earlier attempt completed, as many as the attempt counted; what is nested in one is not asked for again.
 */
function reusedOperations({ attempts, operations }: RunDetail): Set<OperationId> {
  const last = attempts.at(-1);
  if (last === undefined) return new Set();
  const completed = new Set(
    operations.filter(({ outcome, attempt }) => outcome !== null && attempt < last.number).map(({ id }) => id),
  );
  const asked = [...completed].filter((id) => {
    const parent = parentId(id);
    return parent === null || !completed.has(parent);
  });
  return new Set(asked.slice(0, last.reused));
}

function operationRow(operation: Operation, reused: boolean, paint: Paint): string[] {
  return [
    operation.id,
    operation.kind,
    shortened(printable(operation.name), 40),
    operationState(operation, paint),
    `${operation.attempt}${reused ? ' (reused)' : ''}`,
    `${operation.bodies}`,
    operation.source === null ? '' : printable(operation.source),
  ];
}

/** A run for a person: what it is and where it stands, its attempts, its operations. */
export function describeRun(detail: RunDetail, paint: Paint): string[] {
  const { run, attempts, operations } = detail;
  const reused = reusedOperations(detail);
  const head = [
    ['run', paint('bold', run.id)],
    ['relay', `${run.relay}  ${run.release.slice(0, 19)}…`],
    ['state', `${stateText(run.state, paint)}  (revision ${run.revision})`],
    ...(run.reason === null ? [] : [['reason', printable(run.reason)]]),
    ...(run.forkedFrom === null
      ? []
      : [['forked', `from ${run.forkedFrom.run} at operation ${run.forkedFrom.operation}`]]),
    ['attempts', `${run.attempts} of ${run.attemptBudget}`],
    ['created', new Date(run.createdAt).toISOString()],
    ['input', shortened(printable(run.input), 200)],
    ...(run.state === 'succeeded' ? [['result', shortened(printable(JSON.stringify(run.result)), 2000)]] : []),
    ...(run.error === null
      ? []
      : [['error', paint('red', printable(`${errorName(run.error)}: ${run.error.message}`))]]),
  ];
  const attemptTable = [['attempt', 'pid', 'reused', 'took', 'end'], ...attempts.map(attemptRow)];
  const operationTable = [
    ['id', 'kind', 'name', 'state', 'attempt', 'bodies', 'source'],
    ...operations.map((operation) => operationRow(operation, reused.has(operation.id), paint)),
  ];
  return [
    ...table(head),
    ...(attempts.length === 0 ? [] : ['', ...headed(attemptTable, paint)]),
    ...(operations.length === 0 ? [] : ['', ...headed(operationTable, paint)]),
  ];
}

function errorName(error: NonNullable<Run['error']>): string {
  return 'name' in error ? error.name : error.code;
}

/** A table whose first row is its heading. */
export function headed(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const [head = '', ...lines] = table(rows);
  return [paint('dim', head), ...lines];
}
