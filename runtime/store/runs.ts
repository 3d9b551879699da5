import {
  isLive,
  isTerminal,
  LabError,
  liveStates,
  runStates,
  statesBefore,
  type LedgerWrite,
  type RunState,
} from '../core/index.ts';
import type { Writer } from './connection.ts';
import { prepareClaim, type ClaimedRun } from './run-claim.ts';
import { requireEpoch, requireRevision, wrongState, type KnownRun, type KnownRuns } from './known-runs.ts';

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;

/** Each returns the run as it stands after the write, or throws the refusal. All but `lowerBudget` raise the revision. */
export interface RunWrites {
  create(write: Write<'run/create'>): KnownRun;
  claim(write: Write<'run/claim'>): ClaimedRun;
  move(write: Write<'run/move'>): { readonly run: KnownRun; readonly from: RunState };
  setRecovery(write: Write<'run/set-recovery'>): KnownRun;
  lowerBudget(write: Write<'run/lower-budget'>): { readonly run: KnownRun; readonly attemptBudget: number };
  /** For a decision on one of its operations. */
  raiseRevision(run: KnownRun): void;
}

const quoted = (states: readonly RunState[]): string => states.map((state) => `'${state}'`).join(', ');
export const liveStatesSql = quoted(liveStates);

/** The states from which a `run/move` may come; `running` is entered from `queued` by a claim alone. */
function movableFrom(to: RunState): RunState[] {
  return statesBefore(to).filter((from) => !(from === 'queued' && to === 'running'));
}

export function prepareRunWrites(db: Writer, known: KnownRuns): RunWrites {
  return {
    create: prepareCreate(db, known),
    claim: prepareClaim(db, known),
    move: prepareMove(db, known),
    ...prepareSettings(db, known),
  };
}

function prepareCreate(db: Writer, known: KnownRuns): RunWrites['create'] {
  const insert = db.prepare(`
    INSERT INTO runs (id, relay, caller, durability, state, revision, epoch, input, recovery, attempts, attempt_budget,
      deadline_ms, created_at, draft_folder, forked_run, forked_operation, bindings)
    VALUES (?, ?, ?, ?, 'queued', 1, 0, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`);
  return ({ at, run }) => {
    const { changes } = insert.run(
      run.id,
      run.relay,
      run.caller,
      run.durability,
      run.input,
      run.recovery,
      run.attemptBudget,
      run.deadlineMs,
      at,
      run.draftFolder,
      run.forkedFrom?.run ?? null,
      run.forkedFrom?.operation ?? null,
      JSON.stringify(run.bindings),
    );
    if (changes === 1) return known.get(run.id);
    throw new LabError('conflict', `there is a run ${run.id} already`, 'Choose another id, or look at that run.', {
      run: run.id,
    });
  };
}

function prepareMove(db: Writer, known: KnownRuns): RunWrites['move'] {
  type Params = [number, string | null, string | null, string | null, number, string, number | null, number | null];
  const prepare = (to: RunState) =>
    db.prepare<Params>(
      `UPDATE runs SET state = '${to}', revision = revision + 1,
         finished_at = iif(${isTerminal(to)}, ?, NULL), reason = ?, result = ?, error = ?
         ${isLive(to) ? '' : ', holder_pid = NULL, holder_start = NULL'}
       WHERE number = ? AND state IN (${quoted(movableFrom(to))}) AND state IN (SELECT value FROM json_each(?))
         AND epoch = coalesce(?, epoch) AND revision = coalesce(?, revision)`,
    );
  const moves = new Map(runStates.map((to) => [to, prepare(to)]));
  return (write) => {
    const { at, to, reason, result, epoch, revision } = write;
    const run = known.get(write.run);
    const { state: from } = run;
    const error = write.error === null ? null : JSON.stringify(write.error);
    const move = moves.get(to);
    if (move?.run(at, reason, result, error, run.number, JSON.stringify(write.from), epoch, revision).changes !== 1) {
      if (epoch !== null) requireEpoch(run, epoch);
      if (revision !== null) requireRevision(run, revision);
      const asked = movableFrom(to).filter((state) => write.from.includes(state));
      throw wrongState(run, asked.length > 0 ? asked : movableFrom(to));
    }
    run.state = to;
    run.revision += 1;
    return { run, from };
  };
}

function prepareSettings(
  db: Writer,
  known: KnownRuns,
): Pick<RunWrites, 'setRecovery' | 'lowerBudget' | 'raiseRevision'> {
  const open = runStates.filter((state) => !isTerminal(state));
  const recovery = db.prepare<[string, number, number]>(
    `UPDATE runs SET recovery = ?, revision = revision + 1 WHERE number = ? AND revision = ? AND state IN (${quoted(open)})`,
  );
  const budget = db
    .prepare<[number, number, number], number>(
      `UPDATE runs SET attempt_budget = min(attempt_budget, ?) WHERE number = ? AND epoch = ? AND state IN (${liveStatesSql})
       RETURNING attempt_budget`,
    )
    .pluck();
  const raise = db.prepare<[number]>('UPDATE runs SET revision = revision + 1 WHERE number = ?');
  return {
    setRecovery(write) {
      const run = known.get(write.run);
      if (recovery.run(write.recovery, run.number, write.revision).changes === 0) {
        requireRevision(run, write.revision);
        throw wrongState(run, open);
      }
      run.revision += 1;
      return run;
    },
    lowerBudget({ claim, attemptBudget }) {
      const run = known.held(claim);
      const lowered = budget.get(attemptBudget, run.number, claim.epoch);
      if (lowered === undefined) throw wrongState(run, liveStates);
      return { run, attemptBudget: lowered };
    },
    raiseRevision(run) {
      raise.run(run.number);
      run.revision += 1;
    },
  };
}
