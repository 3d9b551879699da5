import { LabError, type LedgerWrite } from '../core/index.ts';
import type { Writer } from './connection.ts';
import { wrongState, type KnownRun, type KnownRuns } from './known-runs.ts';

type Claiming = Extract<LedgerWrite, { tag: 'run/claim' }>;

export interface ClaimedRun {
  readonly run: KnownRun;
  readonly deadlineAt: number;
}

/** queued → running under the next epoch; throws the reason when it cannot be claimed. */
export function prepareClaim(db: Writer, known: KnownRuns): (write: Claiming) => ClaimedRun {
  const claim = db
    .prepare<[number, string, number, number, number, number, number], number>(
      `UPDATE runs SET state = 'running', revision = revision + 1, epoch = epoch + 1, attempts = attempts + 1,
         holder_pid = ?, holder_start = ?, reason = NULL,
         started_at = coalesce(started_at, ?), deadline_at = coalesce(deadline_at, ? + deadline_ms)
       WHERE number = ? AND state = 'queued' AND revision = ? AND attempts < attempt_budget
         AND (deadline_at IS NULL OR deadline_at > ?)
       RETURNING deadline_at`,
    )
    .pluck();
  const explain = prepareClaimRefusal(db);
  return (write) => {
    const { at, holder } = write;
    const run = known.get(write.run);
    const deadlineAt = claim.get(holder.pid, holder.startTime, at, at, run.number, write.revision, at);
    if (deadlineAt === undefined) throw explain(run, write);
    run.state = 'running';
    run.revision += 1;
    run.epoch += 1;
    run.attempts += 1;
    return { run, deadlineAt };
  };
}

interface ClaimFacts {
  readonly attempt_budget: number;
  readonly deadline_at: number | null;
  readonly holder_pid: number | null;
}

function prepareClaimRefusal(db: Writer): (run: KnownRun, write: Claiming) => LabError {
  const facts = db.prepare<[number], ClaimFacts>(
    'SELECT attempt_budget, deadline_at, holder_pid FROM runs WHERE number = ?',
  );
  return (run, write) => {
    const row = facts.get(run.number);
    const held = row?.holder_pid == null ? '' : `, held by process ${row.holder_pid}`;
    const common = { run: run.id, state: run.state, holder: row?.holder_pid ?? null };
    if (run.revision !== write.revision) {
      return new LabError(
        'conflict',
        `run ${run.id} is at revision ${run.revision} (${run.state}${held}); it was to be claimed at revision ${write.revision}`,
        'Another executor or command was faster. Look at the run again.',
        { ...common, found: run.revision, expected: write.revision },
      );
    }
    if (run.state !== 'queued') return wrongState(run, ['queued']);
    if (row?.deadline_at != null && row.deadline_at <= write.at) {
      return new LabError(
        'deadline-passed',
        `the deadline of run ${run.id} passed ${write.at - row.deadline_at} ms ago`,
        'Fork the run to go on from a chosen operation.',
        { ...common, deadlineAt: row.deadline_at },
      );
    }
    return new LabError(
      'budget-spent',
      `run ${run.id} has had ${run.attempts} attempts; its budget is ${row?.attempt_budget ?? 0}`,
      'Fork the run to go on from a chosen operation.',
      { ...common, attempts: run.attempts, attemptBudget: row?.attempt_budget ?? 0 },
    );
  };
}
