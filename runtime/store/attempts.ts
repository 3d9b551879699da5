import type { Attempt } from '../contract/index.ts';
import { LabError, type CrashPointState, type EndCause, type LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';
import type { KnownRun, KnownRuns } from './known-runs.ts';

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;

/** Each returns the attempt's run, or throws the refusal. */
export interface AttemptWrites {
  open(run: KnownRun, write: Write<'run/claim'>): void;
  spawned(write: Write<'attempt/spawned'>): KnownRun;
  ended(write: Write<'attempt/ended'>): KnownRun;
  crashPoint(write: Write<'attempt/crash-point'>): { readonly run: KnownRun; readonly point: string };
  /** `index`: the place in the plan that the point was given. */
  arm(write: Write<'attempt/arm'>): { readonly run: KnownRun; readonly index: number };
}

export function prepareAttemptWrites(db: Writer, known: KnownRuns): AttemptWrites {
  const open = db.prepare<[number, number, number, number, string]>(
    'INSERT INTO attempts (run, number, epoch, started_at, crash_plan) VALUES (?, ?, ?, ?, ?)',
  );
  const spawned = db.prepare<[number, string, number, number, number]>(
    `UPDATE attempts SET pid = ?, start_time = ?
     WHERE run = ? AND number = ? AND epoch = ? AND pid IS NULL AND ended_at IS NULL`,
  );
  const ended = db.prepare<[number, string, number, number]>(
    'UPDATE attempts SET ended_at = ?, cause = ? WHERE run = ? AND number = ? AND ended_at IS NULL',
  );
  // A point is handed out once: it leaves `armed` and never comes back.
  const crashPoint = db
    .prepare<[string, CrashPointState, number, number, string], string>(
      `UPDATE attempts SET crash_plan = json_set(crash_plan, ?, ?)
       WHERE run = ? AND number = ? AND json_extract(crash_plan, ?) = 'armed'
       RETURNING crash_plan`,
    )
    .pluck();
  const arm = db
    .prepare<[string, number, number, number], number>(
      `UPDATE attempts SET crash_plan = json_insert(crash_plan, '$[#]', json(?))
       WHERE run = ? AND number = ? AND epoch = ? AND ended_at IS NULL
       RETURNING json_array_length(crash_plan) - 1`,
    )
    .pluck();
  return {
    open(run, { at, crashPlan }) {
      open.run(run.number, run.attempts, run.epoch, at, JSON.stringify(crashPlan));
    },
    spawned({ claim, attempt, process }) {
      const run = known.held(claim);
      const { changes } = spawned.run(process.pid, process.startTime, run.number, attempt, claim.epoch);
      if (changes === 0) throw notSo(run, attempt, 'an open attempt of this claim without a process');
      return run;
    },
    ended({ at, run: id, attempt, cause }) {
      const run = known.get(id);
      if (ended.run(at, JSON.stringify(cause), run.number, attempt).changes === 0) {
        throw notSo(run, attempt, 'an attempt that has not ended');
      }
      return run;
    },
    crashPoint({ run: id, attempt, index, state }) {
      const run = known.get(id);
      const path = `$[${Math.trunc(index)}].state`;
      const plan = crashPoint.get(path, state, run.number, attempt, path);
      if (plan === undefined) throw notSo(run, attempt, `an armed crash point number ${index}`);
      const planned = (JSON.parse(plan) as Attempt['crashPlan'])[index];
      return { run, point: planned?.point ?? '' };
    },
    arm({ claim, attempt, point }) {
      const run = known.held(claim);
      const index = arm.get(JSON.stringify({ point, state: 'armed' }), run.number, attempt, claim.epoch);
      if (index === undefined) throw notSo(run, attempt, 'an attempt of this claim that has not ended');
      return { run, index };
    },
  };
}

function notSo(run: KnownRun, attempt: number, expected: string): LabError {
  const exists = attempt >= 1 && attempt <= run.attempts;
  const found = exists ? 'it is not so any more' : `the run has ${run.attempts}`;
  return new LabError(
    exists ? 'wrong-state' : 'not-found',
    `attempt ${attempt} of run ${run.id}: expected ${expected}; ${found}`,
    'Look at the run’s attempts.',
    { run: run.id, attempt },
  );
}

interface AttemptRow {
  readonly run: string;
  readonly number: number;
  readonly epoch: number;
  readonly pid: number | null;
  readonly start_time: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly cause: string | null;
  readonly reused: number;
  readonly crash_plan: string;
}

export interface AttemptQueries {
  /** In order of their numbers. */
  attempts(run: string): Attempt[];
}

export function prepareAttemptQueries(db: Reader): AttemptQueries {
  const all = db.prepare<[string], AttemptRow>(
    `SELECT runs.id AS run, attempts.number, attempts.epoch, pid, start_time, attempts.started_at, ended_at, cause, reused,
       crash_plan
     FROM runs JOIN attempts ON attempts.run = runs.number WHERE runs.id = ? ORDER BY attempts.number`,
  );
  return {
    attempts: (run) =>
      all.all(run).map((row) => ({
        run: row.run,
        number: row.number,
        epoch: row.epoch,
        process: row.pid === null ? null : { pid: row.pid, startTime: row.start_time ?? '' },
        startedAt: row.started_at,
        endedAt: row.ended_at,
        cause: row.cause === null ? null : (JSON.parse(row.cause) as EndCause),
        reused: row.reused,
        crashPlan: JSON.parse(row.crash_plan) as Attempt['crashPlan'],
      })),
  };
}
