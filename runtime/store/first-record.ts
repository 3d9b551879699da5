import type { Checkpoint, Intend } from './operations.ts';
import type { Unit } from './writer-messages.ts';

/** An intent and the checkpoint of the same operation in one batch, each a unit of its own. */
export interface FirstRecord {
  readonly intend: Intend;
  readonly checkpoint: Checkpoint;
  /** The place of the checkpoint's unit in the batch. */
  readonly at: number;
}

/**
 * Finds intents whose checkpoint came with them, by the place of the intent's unit. A pair counts only when no other
 * write to that run stands between the two, so that both may be written at the place of the first: a unit that is
 * neither an intent nor a checkpoint closes all that are open.
 */
export function firstRecords(units: readonly Unit[]): ReadonlyMap<number, FirstRecord> {
  const found = new Map<number, FirstRecord>();
  const open = new Map<string, { readonly intend: Intend; readonly at: number }>();
  for (const [at, unit] of units.entries()) {
    const [write] = unit;
    if (unit.length === 1 && write?.tag === 'operation/intend') {
      open.set(write.claim.run, { intend: write, at });
    } else if (unit.length === 1 && write?.tag === 'operation/checkpoint') {
      const before = open.get(write.claim.run);
      open.delete(write.claim.run);
      if (before !== undefined && isSame(before.intend, write)) {
        found.set(before.at, { intend: before.intend, checkpoint: write, at });
      }
    } else {
      open.clear();
    }
  }
  return found;
}

function isSame(intend: Intend, checkpoint: Checkpoint): boolean {
  return (
    intend.id === checkpoint.id &&
    intend.attempt === checkpoint.attempt &&
    intend.claim.epoch === checkpoint.claim.epoch
  );
}
