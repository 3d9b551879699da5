import type { Run } from '../contract/index.ts';
import { LabError, type LedgerWrite } from '../core/index.ts';
import type { Ledger } from './ports.ts';

export function findRun(ledger: Ledger, id: string): Run {
  const run = ledger.run(id);
  if (run === null) throw new LabError('not-found', `there is no run ${id}`, 'List them with: recovery-lab run list');
  return run;
}

/** The run, if it still stands at the revision that a command was decided on (guarantee 9). */
export function findRunAt(ledger: Ledger, id: string, revision: number): Run {
  const run = findRun(ledger, id);
  if (run.revision === revision) return run;
  throw new LabError(
    'conflict',
    `run ${id} is at revision ${run.revision}; the command was decided on revision ${revision}`,
    'Look at the run again and decide on what it is now.',
    { expected: revision, found: run.revision },
  );
}

/** The move of a command, decided on `revision`; null where an earlier write of the same unit was decided on it. */
export function commandedMove(
  at: number,
  run: Run,
  from: readonly Run['state'][],
  to: Run['state'],
  revision: number | null,
  reason: string | null = null,
): Extract<LedgerWrite, { tag: 'run/move' }> {
  return { tag: 'run/move', at, run: run.id, epoch: null, revision, from, to, reason, result: null, error: null };
}
