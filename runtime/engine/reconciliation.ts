import { createHash } from 'node:crypto';
import { offeredAnswer, type Operation, type Run } from '../contract/index.ts';
import { canonicalJson, LabError, limits, type LedgerWrite } from '../core/index.ts';
import { unansweredOperations } from './death-settlement.ts';
import type { EngineParts } from './engine-parts.ts';
import { serialisedJson } from './hosted-operations.ts';
import type { ReconcileOrder } from './orders.ts';
import { commandedMove, findRunAt } from './run-lookup.ts';

/** A person's decision on an uncertain operation, with its receipt; with `fail` also the run's end. */
export function decisionWrites(parts: EngineParts, order: ReconcileOrder): LedgerWrite[] {
  const { ledger } = parts;
  const run = findRunAt(ledger, order.run, order.revision);
  const operation = ledger.operation(run.id, order.operation);
  const waits = unansweredOperations(ledger, run.id);
  if (operation === null || run.state !== 'needs_reconciliation' || !waits.includes(order.operation)) {
    throw new LabError(
      'wrong-state',
      `run ${run.id} is ${run.state} and operation ${order.operation} waits for no decision`,
      waits.length === 0 ? '' : `Operation ${waits.join(', ')} waits for one.`,
      { state: run.state, waiting: waits },
    );
  }
  const bytes = order.decision.kind === 'accept' ? Buffer.byteLength(JSON.stringify(order.decision.value)) : 0;
  if (bytes > limits.resultBytes) {
    throw new LabError(
      'too-large',
      `the accepted result is ${bytes} bytes of JSON; at most ${limits.resultBytes} are kept`,
    );
  }
  const at = parts.clock.now();
  const decision =
    order.decision.kind === 'accept'
      ? { kind: 'accept' as const, value: serialisedJson(order.decision.value) }
      : order.decision;
  const { revision, by } = order;
  const unit: LedgerWrite[] = [
    { tag: 'operation/decide', at, run: run.id, revision, id: operation.id, decision, by },
    decisionReceipt(run, operation, { ...order, lateAnswer: acceptedAnswer(parts, operation, order.decision) }, at),
  ];
  if (order.decision.kind !== 'fail') return unit;
  const error = new LabError(
    'relay-failed',
    `${by} failed the run at the uncertain operation ${operation.id} ${operation.name}: ${order.decision.message}`,
    'Fork the run to go on from a chosen operation.',
  );
  const move = commandedMove(at, run, ['needs_reconciliation'], 'failed', null);
  return [...unit, { ...move, error: error.toData() }];
}

/** The receipt of the late answer that is accepted word for word; null when none is. */
function acceptedAnswer(
  { ledger }: Pick<EngineParts, 'ledger'>,
  operation: Operation,
  decision: ReconcileOrder['decision'],
): number | null {
  if (decision.kind !== 'accept') return null;
  const offered = offeredAnswer({ operation, receipts: ledger.receipts(operation.run, operation.id) });
  return offered !== null && canonicalJson(offered.value) === canonicalJson(decision.value) ? offered.receipt : null;
}

/** Who decided what and when, on which arguments and revision. */
function decisionReceipt(
  run: Run,
  operation: Operation,
  order: ReconcileOrder & { readonly lateAnswer: number | null },
  at: number,
): LedgerWrite {
  return {
    tag: 'receipt/add',
    at,
    run: run.id,
    attempt: run.attempts,
    operation: operation.id,
    kind: 'reconciliation',
    name: operation.name,
    ok: true,
    durationMs: null,
    data: {
      decision: order.decision,
      by: order.by,
      revision: run.revision,
      ...(order.lateAnswer === null ? {} : { lateAnswer: order.lateAnswer }),
      argumentsDigest: createHash('sha256')
        .update(operation.arguments ?? '')
        .digest('hex'),
    },
  };
}
