import { LabError } from '../core/index.ts';
import { prepareWrites, type UnitRecord } from './apply-write.ts';
import type { Writer } from './connection.ts';
import { firstRecords, type FirstRecord } from './first-record.ts';
import { KnownRuns } from './known-runs.ts';
import { isBusy, ledgerError } from './sqlite-errors.ts';
import type { Unit, UnitOutcome } from './writer-messages.ts';

/** Makes units durable, in order, in as few transactions as can be. Returns after their commit, with what became of each. */
export type CommitBatch = (units: readonly Unit[]) => UnitOutcome[];

export function prepareBatches(db: Writer): CommitBatch {
  const known = new KnownRuns(db);
  const writes = prepareWrites(db, known);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT unit');
  const release = db.prepare('RELEASE unit');
  const undo = db.prepare('ROLLBACK TO unit');

  /** All units in one transaction. Throws when it did not commit; then nothing of it is kept. */
  function attempt(units: readonly Unit[]): UnitOutcome[] {
    begin.run();
    try {
      known.begin();
      const outcomes = applyAll(units);
      commit.run();
      return outcomes;
    } catch (thrown) {
      known.forget();
      // After some faults, a full disk for one, SQLite has rolled back by itself.
      if (db.inTransaction) rollback.run();
      throw thrown;
    }
  }

  function applyAll(units: readonly Unit[]): UnitOutcome[] {
    const first = firstRecords(units);
    /** Of checkpoints that were written with their intents, by place. */
    const early = new Map<number, UnitOutcome>();
    return units.map((unit, place) => {
      const known = early.get(place);
      if (known !== undefined) return known;
      const pair = first.get(place);
      const recorded = pair === undefined ? null : recordFirst(pair);
      if (pair === undefined || recorded === null) return unit.length === 1 ? applyUnit(unit) : applyTogether(unit);
      early.set(pair.at, recorded + 1);
      return recorded;
    });
  }

  /** The intent's sequence number, with the checkpoint's right after it; null when the two must be applied apart. */
  function recordFirst({ intend, checkpoint }: FirstRecord): number | null {
    try {
      return writes.record(intend, checkpoint);
    } catch (thrown) {
      if (thrown instanceof LabError) return null;
      throw thrown;
    }
  }

  /** A refusal is the unit's own: it wrote nothing, and the transaction goes on. Anything else thrown ends it. */
  function applyUnit(unit: Unit): UnitOutcome {
    const done: UnitRecord = { epoch: null, events: [], plain: null };
    try {
      for (const write of unit) writes.apply(write, done);
    } catch (thrown) {
      if (thrown instanceof LabError) return { refused: thrown.toData() };
      throw thrown;
    }
    const { epoch, events, plain } = done;
    return unit.length === 1 && plain !== null ? plain : { epoch, events };
  }

  function applyTogether(unit: Unit): UnitOutcome {
    savepoint.run();
    const outcome = applyUnit(unit);
    if (typeof outcome === 'object' && 'refused' in outcome) {
      undo.run();
      known.forget();
    }
    release.run();
    return outcome;
  }

  function refused(thrown: unknown): UnitOutcome {
    return { refused: ledgerError(thrown, db.name).toData() };
  }

  return (units) => {
    try {
      return attempt(units);
    } catch (thrown) {
      // Whoever holds the lock holds it for each of them.
      if (isBusy(thrown)) return units.map(() => refused(thrown));
    }
    return units.map((unit) => {
      try {
        return attempt([unit])[0] ?? refused(new Error('a transaction of one unit gave no outcome'));
      } catch (thrown) {
        return refused(thrown);
      }
    });
  };
}
