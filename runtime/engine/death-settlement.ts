import type { Run } from '../contract/index.ts';
import { afterDeath, parentId, type EndCause, type LedgerWrite, type OperationId } from '../core/index.ts';
import type { Ledger } from './ports.ts';

/** The writes that put a run whose process is gone where it belongs. Also for a host that finds it at its start. */
export function settleDeath(ledger: Ledger, run: Run, cause: EndCause, now: number): LedgerWrite[] {
  const decision = afterDeath({
    state: run.state,
    cause,
    attempt: run.attempts,
    attemptBudget: run.attemptBudget,
    deadlineAt: run.deadlineAt,
    now,
    durability: run.durability,
    uncertain: unansweredOperations(ledger, run.id),
  });
  const move = { tag: 'run/move', at: now, run: run.id, epoch: run.epoch, revision: null, result: null } as const;
  const reason = 'reason' in decision ? decision.reason : null;
  const error = 'error' in decision ? decision.error.toData() : null;
  // The table knows only one way from waiting on: whatever else death means for it comes by way of running.
  const wake: LedgerWrite[] =
    run.state === 'waiting' && decision.to !== 'interrupted'
      ? [{ ...move, from: ['waiting'], to: 'running', reason: null, error: null }]
      : [];
  const from: Run['state'] = wake.length > 0 ? 'running' : run.state;
  return [...wake, { ...move, from: [from], to: decision.to, reason, error }];
}

/** Uncertain operations that replay would come to: one inside a checkpointed operation is never asked for again. */
export function unansweredOperations(ledger: Ledger, run: string): OperationId[] {
  return ledger.uncertainOperations(run).filter((id) => {
    for (let above = parentId(id); above !== null; above = parentId(above)) {
      if (ledger.operation(run, above)?.state === 'checkpointed') return false;
    }
    return true;
  });
}
