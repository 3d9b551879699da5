import type { EventData, EventType, LabEvent } from '../contract/index.ts';
import { LabError, type EpochMs, type LedgerWrite, type OperationId } from '../core/index.ts';
import { prepareArtifactWrites } from './artifacts.ts';
import { prepareAttemptWrites } from './attempts.ts';
import type { Writer } from './connection.ts';
import { prepareEventWrites } from './events.ts';
import { requireRevision, wrongState, type KnownRun, type KnownRuns } from './known-runs.ts';
import { prepareMessageWrites } from './messages.ts';
import { prepareOperationWrites, type Checkpoint, type Intend } from './operations.ts';
import { preparePermissionWrites } from './permissions.ts';
import { checkpointedData, intendedData } from './plain-event.ts';
import { prepareReceiptWrites } from './receipts.ts';
import { prepareRunWrites } from './runs.ts';
import { prepareStreamWrites } from './streams.ts';
import { prepareWorkflowEventWrites } from './workflow-events.ts';

/** Takes down what a unit did, beside its rows. */
export interface UnitRecord {
  epoch: number | null;
  readonly events: LabEvent[];
  /** The sequence number of the newest event, when the other thread can make that event from its write. */
  plain: number | null;
}

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;
/** One row a write, so that a missing one does not compile. Each checks its guard before it changes anything. */
type WriteHandlers = { readonly [Tag in LedgerWrite['tag']]: (write: Write<Tag>, unit: UnitRecord) => void };

export interface WriteTable {
  apply(write: LedgerWrite, unit: UnitRecord): void;
  /**
   * A first intent with its checkpoint: one insert where there would be an insert and an update. The same row and events
   * are there after it. Returns the intent's sequence number, or null, having written nothing, when there is a row already.
   */
  record(intend: Intend, checkpoint: Checkpoint): number | null;
}

export function prepareWrites(db: Writer, known: KnownRuns): WriteTable {
  const appendEvent = prepareEventWrites(db);
  const runs = prepareRunWrites(db, known);
  const attempts = prepareAttemptWrites(db, known);
  const operations = prepareOperationWrites(db, known);
  const addReceipt = prepareReceiptWrites(db);
  const addArtifact = prepareArtifactWrites(db);
  const messages = prepareMessageWrites(db);

  interface About {
    readonly at: EpochMs;
    readonly attempt?: number | null;
    readonly operation?: OperationId | null;
  }

  function add<Type extends EventType>(
    unit: UnitRecord,
    run: KnownRun,
    type: Type,
    about: About,
    data: EventData<Type>,
  ): void {
    const { at, attempt = null, operation = null } = about;
    unit.events.push(appendEvent(run, type, { at, attempt, operation }, data));
  }

  const handlers: WriteHandlers = {
    'run/create'(write, unit) {
      const { relay, caller, bindings, forkedFrom } = write.run;
      add(unit, runs.create(write), 'run.created', write, { relay, release: bindings.release, caller, forkedFrom });
    },
    'run/copy-history'(write, unit) {
      const to = known.get(write.to);
      if (to.state !== 'queued' || to.attempts > 0) throw wrongState(to, ['queued']);
      const copied = operations.copyHistory(known.get(write.from), to, write.before);
      add(unit, to, 'run.changed', write, { change: 'history', from: write.from, copied });
    },
    'run/claim'(write, unit) {
      const { run, deadlineAt } = runs.claim(write);
      attempts.open(run, write);
      unit.epoch = run.epoch;
      const about = { at: write.at, attempt: run.attempts };
      add(unit, run, 'run.claimed', about, {
        revision: run.revision,
        epoch: run.epoch,
        holder: write.holder,
        deadlineAt,
      });
      for (const [index, { point, state }] of write.crashPlan.entries()) {
        if (state === 'armed') add(unit, run, 'crash-point.armed', about, { index, point });
      }
    },
    'run/move'(write, unit) {
      const { run, from } = runs.move(write);
      add(unit, run, 'run.moved', write, { revision: run.revision, from, to: write.to, reason: write.reason });
    },
    'run/set-recovery'(write, unit) {
      const { recovery } = write;
      const run = runs.setRecovery(write);
      add(unit, run, 'run.changed', write, { change: 'recovery', revision: run.revision, recovery });
    },
    'run/lower-budget'(write, unit) {
      const { run, attemptBudget } = runs.lowerBudget(write);
      add(unit, run, 'run.changed', write, { change: 'attempt-budget', attemptBudget });
    },
    'attempt/spawned'(write, unit) {
      const { pid, startTime } = write.process;
      add(unit, attempts.spawned(write), 'attempt.spawned', write, { pid, startTime });
    },
    'attempt/ended'(write, unit) {
      add(unit, attempts.ended(write), 'attempt.ended', write, { cause: write.cause });
    },
    'attempt/crash-point'(write, unit) {
      const { run, point } = attempts.crashPoint(write);
      add(unit, run, `crash-point.${write.state}`, write, { index: write.index, point });
    },
    'attempt/arm'(write, unit) {
      const { run, index } = attempts.arm(write);
      add(unit, run, 'crash-point.armed', write, { index, point: write.point });
    },
    'operation/intend'(write, unit) {
      const { run, bodies } = operations.intend(write);
      const { at, attempt, id } = write;
      add(unit, run, 'operation.intended', { at, attempt, operation: id }, intendedData(write, bodies));
      if (bodies === 1) unit.plain = run.sequence;
    },
    'operation/checkpoint'(write, unit) {
      const { at, attempt, id } = write;
      const run = operations.checkpoint(write);
      add(unit, run, 'operation.checkpointed', { at, attempt, operation: id }, checkpointedData(write));
      unit.plain = run.sequence;
    },
    'operation/reused'(write, unit) {
      const { at, attempt, id, diverged } = write;
      const data = { diverged, arguments: diverged ? write.arguments : null };
      add(unit, operations.reused(write), 'operation.reused', { at, attempt, operation: id }, data);
    },
    'operation/try'(write, unit) {
      const { at, attempt, id, number, error, retryInMs } = write;
      add(unit, known.held(write.claim), 'operation.try', { at, attempt, operation: id }, { number, error, retryInMs });
    },
    'operation/decide'(write, unit) {
      const run = known.get(write.run);
      requireRevision(run, write.revision);
      if (run.state !== 'needs_reconciliation') throw wrongState(run, ['needs_reconciliation']);
      operations.decide(run, write);
      runs.raiseRevision(run);
      const { at, id, decision, by } = write;
      const data = { revision: run.revision, decision: decision.kind, by };
      add(unit, run, 'operation.decided', { at, operation: id }, data);
    },
    'operation/unsettled'(write, unit) {
      const { at, attempt, id, reason } = write;
      add(unit, operations.unsettled(write), 'note', { at, attempt, operation: id }, { unsettled: reason });
    },
    'receipt/add'(write, unit) {
      const { kind, name, ok } = write;
      const run = known.get(write.run);
      add(unit, run, 'receipt.added', write, { receipt: addReceipt(run, write), kind, name, ok });
    },
    'event/add'(write, unit) {
      add(unit, known.get(write.run), write.type, write, write.data);
    },
    'permission/set': preparePermissionWrites(db),
    'artifact/add'(write, unit) {
      const { path, mediaType, bytes, sha256 } = write;
      const run = known.get(write.run);
      addArtifact(run, write);
      add(unit, run, 'artifact.added', write, { path, mediaType, bytes, sha256 });
    },
    'message/send': messages.send,
    'message/take': messages.take,
    'workflow-event/set': prepareWorkflowEventWrites(db),
    'stream/append': prepareStreamWrites(db),
  };

  return {
    apply(write, unit) {
      const handler = handlers[write.tag] as ((write: LedgerWrite, unit: UnitRecord) => void) | undefined;
      if (handler === undefined)
        throw new LabError('internal', `the ledger knows no write ${JSON.stringify(write.tag)}`);
      handler(write, unit);
    },
    record(intend, checkpoint) {
      const run = operations.record(intend, checkpoint);
      if (run === null) return null;
      const { id: operation, attempt } = intend;
      appendEvent(run, 'operation.intended', { at: intend.at, attempt, operation }, intendedData(intend, 1));
      appendEvent(
        run,
        'operation.checkpointed',
        { at: checkpoint.at, attempt, operation },
        checkpointedData(checkpoint),
      );
      return run.sequence - 1;
    },
  };
}
