import type { Run } from '../contract/index.ts';
import {
  runStates,
  type Bindings,
  type Json,
  type LabErrorData,
  type OperationId,
  type RunState,
  type WireError,
} from '../core/index.ts';
import type { Reader } from './connection.ts';

interface RunRow {
  readonly id: string;
  readonly relay: string;
  readonly caller: string;
  readonly durability: Run['durability'];
  readonly state: RunState;
  readonly revision: number;
  readonly epoch: number;
  readonly reason: string | null;
  readonly input: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly recovery: Run['recovery'];
  readonly attempts: number;
  readonly attempt_budget: number;
  readonly deadline_ms: number;
  readonly deadline_at: number | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly holder_pid: number | null;
  readonly holder_start: string | null;
  readonly draft_folder: string | null;
  readonly forked_run: string | null;
  readonly forked_operation: OperationId | null;
  readonly bindings: string;
  readonly last_sequence: number;
}

function toRun(row: RunRow): Run {
  const bindings = JSON.parse(row.bindings) as Bindings;
  return {
    id: row.id,
    relay: row.relay,
    release: bindings.release,
    caller: row.caller,
    durability: row.durability,
    state: row.state,
    revision: row.revision,
    epoch: row.epoch,
    reason: row.reason,
    input: row.input,
    result: row.result === null ? null : (JSON.parse(row.result) as Json),
    error: row.error === null ? null : (JSON.parse(row.error) as LabErrorData | WireError),
    recovery: row.recovery,
    attempts: row.attempts,
    attemptBudget: row.attempt_budget,
    deadlineMs: row.deadline_ms,
    deadlineAt: row.deadline_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    holder: row.holder_pid === null ? null : { pid: row.holder_pid, startTime: row.holder_start ?? '' },
    draftFolder: row.draft_folder,
    forkedFrom:
      row.forked_run === null || row.forked_operation === null
        ? null
        : { run: row.forked_run, operation: row.forked_operation },
    bindings,
    lastSequence: row.last_sequence,
  };
}

/** A run's newest sequence number is one seek in its events: kept nowhere else, it cannot differ from them. */
const select = `SELECT *, (SELECT coalesce(max(sequence), 0) FROM events WHERE run = runs.number) AS last_sequence FROM runs`;

export const runSql = `${select} WHERE id = ?`;
export const runsInStateSql = `${select} WHERE state = ? ORDER BY created_at, id`;

interface RunPage {
  readonly before: { readonly createdAt: number; readonly id: string } | null;
  readonly limit: number;
  readonly relay: string | null;
  readonly state: RunState | null;
}

/** Newest first. Each combination of filters is a statement of its own, so that each has its index. */
export function listRunsSql(filter: {
  readonly relay: boolean;
  readonly state: boolean;
  readonly before: boolean;
}): string {
  const conditions = [
    ...(filter.relay ? ['relay = ?'] : []),
    ...(filter.state ? ['state = ?'] : []),
    ...(filter.before ? ['(created_at, id) < (?, ?)'] : []),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `${select} ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
}

export const runCountsSql = 'SELECT state, count(*) AS runs FROM runs GROUP BY state';

export interface RunQueries {
  run(id: string): Run | null;
  /** How many runs are in each state; 0 where there is none. */
  runCounts(): Record<RunState, number>;
  /** Oldest first within each state. */
  runsInStates(states: readonly RunState[]): Run[];
  listRuns(page: RunPage): Run[];
}

export function prepareRunQueries(db: Reader): RunQueries {
  const one = db.prepare<[string], RunRow>(runSql);
  const inState = db.prepare<[RunState], RunRow>(runsInStateSql);
  const counts = db.prepare<[], { readonly state: RunState; readonly runs: number }>(runCountsSql);
  return {
    run(id) {
      const row = one.get(id);
      return row === undefined ? null : toRun(row);
    },
    runCounts() {
      const none = Object.fromEntries(runStates.map((state) => [state, 0]));
      const found = Object.fromEntries(counts.all().map(({ state, runs }) => [state, runs]));
      return { ...none, ...found } as Record<RunState, number>;
    },
    runsInStates: (states) => states.flatMap((state) => inState.all(state).map(toRun)),
    listRuns({ before, limit, relay, state }) {
      const sql = listRunsSql({ relay: relay !== null, state: state !== null, before: before !== null });
      const values = [relay, state, before?.createdAt ?? null, before?.id ?? null].filter((value) => value !== null);
      return db
        .prepare<(string | number)[], RunRow>(sql)
        .all(...values, limit)
        .map(toRun);
    },
  };
}
