import type { Operation } from '../contract/index.ts';
import {
  fromSortKey,
  toSortKey,
  type HistoryEntry,
  type OperationId,
  type OperationKind,
  type Outcome,
  type WireError,
} from '../core/index.ts';
import type { Reader } from './connection.ts';
import { liveStatesSql } from './runs.ts';

interface OutcomeRow {
  readonly ok: 0 | 1 | null;
  readonly outcome: string | null;
}

interface HistoryRow extends OutcomeRow {
  readonly key: string;
  readonly kind: OperationKind;
  readonly name: string;
  readonly arguments: string | null;
  readonly repeatable: 0 | 1;
  readonly freed: 0 | 1;
}

interface OperationRow extends HistoryRow {
  readonly run_id: string;
  readonly uncertain: 0 | 1;
  readonly attempt: number;
  readonly bodies: number;
  readonly source: string | null;
  readonly intended_at: number;
  readonly checkpointed_at: number | null;
}

function toOutcome({ ok, outcome }: OutcomeRow): Outcome | null {
  if (ok === null || outcome === null) return null;
  return ok === 1 ? { ok: true, value: outcome } : { ok: false, error: JSON.parse(outcome) as WireError };
}

function toOperation(row: OperationRow): Operation {
  return {
    run: row.run_id,
    id: fromSortKey(row.key),
    kind: row.kind,
    name: row.name,
    state: row.ok === null ? 'intended' : 'checkpointed',
    uncertain: row.uncertain === 1,
    repeatable: row.repeatable === 1,
    arguments: row.arguments,
    outcome: toOutcome(row),
    attempt: row.attempt,
    bodies: row.bodies,
    source: row.source,
    intendedAt: row.intended_at,
    checkpointedAt: row.checkpointed_at,
  };
}

function toHistoryEntry(row: HistoryRow): HistoryEntry {
  return {
    id: fromSortKey(row.key),
    kind: row.kind,
    name: row.name,
    arguments: row.arguments,
    // A person's decision stands in for the author's promise, once.
    repeatable: row.repeatable === 1 || row.freed === 1,
    state: row.ok === null ? 'intended' : 'checkpointed',
    outcome: toOutcome(row),
  };
}

const numberOf = '(SELECT number FROM runs WHERE id = ?)';
/** No checkpoint, no promise, no decision. */
const unsettled = 'operations.ok IS NULL AND operations.repeatable = 0 AND operations.freed = 0';

const select = `
  SELECT operations.*, runs.id AS run_id,
    ${unsettled} AND (runs.state NOT IN (${liveStatesSql}) OR attempts.ended_at IS NOT NULL) AS uncertain
  FROM operations JOIN runs ON runs.number = operations.run
  LEFT JOIN attempts ON attempts.run = operations.run AND attempts.number = operations.attempt`;

export const operationSql = `${select} WHERE operations.run = ${numberOf} AND operations.key = ?`;
export const operationsSql = `${select} WHERE operations.run = ${numberOf} AND operations.key > ? ORDER BY operations.key LIMIT ?`;
export const childWorkflowSql = `${select} WHERE operations.child_workflow = ? ORDER BY operations.rowid LIMIT 1`;
export const historySql = `
  SELECT key, kind, name, arguments, repeatable, freed, ok, outcome
  FROM operations WHERE run = ${numberOf} ORDER BY key`;
export const uncertainSql = `SELECT key FROM operations WHERE run = ${numberOf} AND ${unsettled} ORDER BY key`;

export interface OperationQueries {
  /** In program order, after `after`. */
  operations(run: string, page: { readonly after: OperationId | null; readonly limit: number }): Operation[];
  operation(run: string, id: OperationId): Operation | null;
  /** All of a run, in program order. An operation that a person freed counts as repeatable here, until it is begun. */
  history(run: string): HistoryEntry[];
  /**
   * Operations with an intent, no checkpoint, no promise and no decision, in program order. Whether the run's process
   * still lives is not asked: while it does, they are merely at work.
   */
  uncertainOperations(run: string): OperationId[];
  /** The operation of kind `child` that runs the given workflow; where forks copied it, the original. */
  childWorkflow(workflow: string): Operation | null;
}

export function prepareOperationQueries(db: Reader): OperationQueries {
  const one = db.prepare<[string, string], OperationRow>(operationSql);
  const page = db.prepare<[string, string, number], OperationRow>(operationsSql);
  const child = db.prepare<[string], OperationRow>(childWorkflowSql);
  const history = db.prepare<[string], HistoryRow>(historySql);
  const uncertain = db.prepare<[string], string>(uncertainSql).pluck();
  const toNullable = (row: OperationRow | undefined): Operation | null => (row === undefined ? null : toOperation(row));
  return {
    operations: (run, { after, limit }) =>
      page.all(run, after === null ? '' : toSortKey(after), limit).map(toOperation),
    operation: (run, id) => toNullable(one.get(run, toSortKey(id))),
    history: (run) => history.all(run).map(toHistoryEntry),
    uncertainOperations: (run) => uncertain.all(run).map(fromSortKey),
    childWorkflow: (workflow) => toNullable(child.get(workflow)),
  };
}
