import { checkNewRunId, LabError, limits, parentId, type LedgerWrite } from '../core/index.ts';
import { boundRelease } from './bound-release.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ForkOrder } from './orders.ts';
import { findRun } from './run-lookup.ts';

/**
 * What makes a new run from a chosen operation of another: its history before that operation, under the bindings of
 * now. The other run stays as it is. Throws `not-found` or `wrong-state` when there is no such history to take over.
 */
export async function forkWrites(
  parts: EngineParts,
  order: ForkOrder,
): Promise<{ readonly id: string; readonly unit: readonly LedgerWrite[] }> {
  const { ledger } = parts;
  const from = findRun(ledger, order.run);
  if (parentId(order.operation) !== null || ledger.operation(from.id, order.operation) === null) {
    throw new LabError(
      'not-found',
      `run ${from.id} has no operation ${order.operation} of its own to fork from`,
      'Name one of the run’s top-level operations by its number.',
    );
  }
  const open = ledger
    .history(from.id)
    .find((entry) => entry.state === 'intended' && Number(entry.id.split('.')[0]) < Number(order.operation));
  if (open !== undefined) {
    throw new LabError(
      'wrong-state',
      `operation ${open.id} ${open.name} comes before ${order.operation} and has no result to reuse`,
      `Fork from operation ${open.id.split('.')[0] ?? ''} or an earlier one, or reconcile it first.`,
    );
  }
  const release = await boundRelease(parts.releases, from.release);
  const input = order.input ?? from.input;
  const id = checkNewRunId(order.id ?? parts.newId());
  const { relay, caller, durability, deadlineMs, draftFolder } = from;
  const at = parts.clock.now();
  const unit: LedgerWrite[] = [
    {
      tag: 'run/create',
      at,
      run: {
        id,
        relay,
        caller,
        durability,
        input,
        bindings: await parts.bindings(release, input),
        attemptBudget: limits.attempts,
        deadlineMs,
        recovery: order.recovery,
        draftFolder,
        forkedFrom: { run: from.id, operation: order.operation },
      },
    },
    { tag: 'run/copy-history', at, from: from.id, to: id, before: order.operation },
  ];
  return { id, unit };
}
