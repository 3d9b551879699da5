import type { EventData, LabEvent } from '../contract/index.ts';
import { describeWireError, type LedgerWrite } from '../core/index.ts';
import type { Checkpoint, Intend } from './operations.ts';

export function intendedData({ kind, name }: Intend, bodies: number): EventData<'operation.intended'> {
  return { kind, name, bodies };
}

export function checkpointedData({ outcome }: Checkpoint): EventData<'operation.checkpointed'> {
  return outcome.ok ? { ok: true } : { ok: false, error: describeWireError(outcome.error) };
}

/** The event of a first intent or of a checkpoint, which both threads can make from the write and its sequence number. */
export function plainEvent(write: LedgerWrite | undefined, sequence: number): LabEvent {
  if (write?.tag === 'operation/intend') {
    const { at, attempt, id, claim } = write;
    return {
      run: claim.run,
      sequence,
      at,
      type: 'operation.intended',
      attempt,
      operation: id,
      data: intendedData(write, 1),
    };
  }
  if (write?.tag === 'operation/checkpoint') {
    const { at, attempt, id, claim } = write;
    const data = checkpointedData(write);
    return { run: claim.run, sequence, at, type: 'operation.checkpointed', attempt, operation: id, data };
  }
  throw new Error(`a ${write?.tag ?? 'missing write'} has no plain event`);
}
