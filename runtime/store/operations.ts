import {
  LabError,
  toSortKey,
  type EpochMs,
  type LedgerWrite,
  type OperationId,
  type OperationKind,
  type Outcome,
} from '../core/index.ts';
import type { Writer } from './connection.ts';
import type { KnownRun, KnownRuns } from './known-runs.ts';

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;
export type Intend = Write<'operation/intend'>;
export type Checkpoint = Write<'operation/checkpoint'>;

/** Each returns the operation's run, or throws the refusal. */
export interface OperationWrites {
  intend(write: Intend): { readonly run: KnownRun; readonly bodies: number };
  checkpoint(write: Checkpoint): KnownRun;
  /** Both at once, in one row written once; null when that cannot be, and nothing is written then. */
  record(intend: Intend, checkpoint: Checkpoint): KnownRun | null;
  reused(write: Write<'operation/reused'>): KnownRun;
  /** A pending tool call loses the promise that its callback gave. */
  unsettled(write: Write<'operation/unsettled'>): KnownRun;
  /** Settles or frees an uncertain operation. The run's own part of a decision is its revision. */
  decide(run: KnownRun, write: Write<'operation/decide'>): void;
  copyHistory(from: KnownRun, to: KnownRun, before: OperationId): number;
}

/** An operation, spread over the columns of an insert. */
type NewRow = [number, string, OperationKind, string, string | null, number, string | null, number, EpochMs];
type OutcomeColumns = [EpochMs, number, string];

export function prepareOperationWrites(db: Writer, known: KnownRuns): OperationWrites {
  const insert = db.prepare<NewRow>(
    `INSERT INTO operations (run, key, kind, name, arguments, repeatable, source, attempt, intended_at, bodies)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
  );
  const record = db.prepare<[...NewRow, ...OutcomeColumns]>(
    `INSERT INTO operations (run, key, kind, name, arguments, repeatable, source, attempt, intended_at,
       checkpointed_at, ok, outcome, bodies)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
  );
  // Guarantee 2 and 3 as a condition: not after its checkpoint, and not again unless that is harmless or decided.
  const again = db
    .prepare<[number, string | null, string | null, number, string, OperationKind, string], number>(
      `UPDATE operations SET attempt = ?, arguments = ?, source = ?, bodies = bodies + 1, freed = 0
       WHERE run = ? AND key = ? AND ok IS NULL AND (repeatable = 1 OR freed = 1) AND kind = ? AND name = ?
       RETURNING bodies`,
    )
    .pluck();
  const checkpoint = db.prepare<[...OutcomeColumns, number, string]>(
    'UPDATE operations SET checkpointed_at = ?, ok = ?, outcome = ? WHERE run = ? AND key = ? AND ok IS NULL',
  );
  const reused = db.prepare<[number, number, number, string]>(
    `UPDATE attempts SET reused = reused + 1 WHERE run = ? AND number = ?
       AND EXISTS (SELECT 1 FROM operations WHERE run = ? AND key = ? AND ok IS NOT NULL)`,
  );
  const unsettled = db.prepare<[number, string]>(
    `UPDATE operations SET repeatable = 0 WHERE run = ? AND key = ? AND kind = 'tool' AND ok IS NULL AND repeatable = 1`,
  );
  const refuse = prepareRefusal(db);
  return {
    intend(write) {
      const run = known.held(write.claim);
      if (insert.run(...newRow(run, write)).changes === 1) return { run, bodies: 1 };
      const { attempt, source, kind, name } = write;
      const bodies = again.get(attempt, write.arguments, source, run.number, toSortKey(write.id), kind, name);
      if (bodies === undefined) throw refuse(run, write.id, `an intended ${kind} "${name}" whose body may run again`);
      return { run, bodies };
    },
    checkpoint(write) {
      const run = known.held(write.claim);
      const { changes } = checkpoint.run(...outcomeColumns(write), run.number, toSortKey(write.id));
      if (changes === 0) throw refuse(run, write.id, 'an intended operation without a checkpoint');
      return run;
    },
    record(intend, after) {
      const run = known.held(intend.claim);
      return record.run(...newRow(run, intend), ...outcomeColumns(after)).changes === 1 ? run : null;
    },
    reused({ claim, attempt, id }) {
      const run = known.held(claim);
      if (reused.run(run.number, attempt, run.number, toSortKey(id)).changes === 0) {
        throw refuse(run, id, `a checkpointed operation, reused in an attempt of its run (${attempt})`);
      }
      return run;
    },
    unsettled({ claim, id }) {
      const run = known.held(claim);
      if (unsettled.run(run.number, toSortKey(id)).changes === 0) {
        throw refuse(run, id, 'an intended tool that its callback was to settle');
      }
      return run;
    },
    decide: prepareDecide(db, refuse),
    copyHistory: prepareCopyHistory(db),
  };
}

function newRow(run: KnownRun, write: Intend): NewRow {
  const { kind, name, source, attempt, at } = write;
  return [run.number, toSortKey(write.id), kind, name, write.arguments, write.repeatable ? 1 : 0, source, attempt, at];
}

function outcomeColumns({ at, outcome }: { readonly at: EpochMs; readonly outcome: Outcome }): OutcomeColumns {
  return outcome.ok ? [at, 1, outcome.value] : [at, 0, JSON.stringify(outcome.error)];
}

type Refuse = (run: KnownRun, id: OperationId, expected: string) => LabError;

function prepareRefusal(db: Writer): Refuse {
  type Found = {
    readonly kind: string;
    readonly name: string;
    readonly repeatable: number;
    readonly ok: number | null;
  };
  const find = db.prepare<[number, string], Found>(
    'SELECT kind, name, repeatable, ok FROM operations WHERE run = ? AND key = ?',
  );
  return (run, id, expected) => {
    const found = find.get(run.number, toSortKey(id));
    const facts = { run: run.id, operation: id };
    if (found === undefined) {
      return new LabError('not-found', `run ${run.id} has no operation ${id}; expected ${expected}`, '', facts);
    }
    const state = found.ok === null ? 'intended' : 'checkpointed';
    return new LabError(
      'wrong-state',
      `operation ${id} of run ${run.id} is a${found.repeatable === 1 ? '' : ' not repeatable'} ${state} ${found.kind} ` +
        `"${found.name}"; expected ${expected}`,
      'Look at the run’s operations.',
      { ...facts, found: state },
    );
  };
}

function prepareDecide(db: Writer, refuse: Refuse): OperationWrites['decide'] {
  const uncertain = 'run = ? AND key = ? AND ok IS NULL AND repeatable = 0 AND freed = 0';
  const accept = db.prepare<[...OutcomeColumns, number, string]>(
    `UPDATE operations SET checkpointed_at = ?, ok = ?, outcome = ? WHERE ${uncertain}`,
  );
  const free = db.prepare<[number, string]>(`UPDATE operations SET freed = 1 WHERE ${uncertain}`);
  // Failing the run leaves the operation as uncertain as it was: nobody knows, and nobody will repeat it.
  const keep = db.prepare<[number, string]>(`UPDATE operations SET freed = 0 WHERE ${uncertain}`);
  return (run, { at, id, decision }) => {
    const key = toSortKey(id);
    const { changes } =
      decision.kind === 'accept'
        ? accept.run(...outcomeColumns({ at, outcome: { ok: true, value: decision.value } }), run.number, key)
        : (decision.kind === 'again' ? free : keep).run(run.number, key);
    if (changes === 0) throw refuse(run, id, 'an uncertain operation');
  };
}

function prepareCopyHistory(db: Writer): OperationWrites['copyHistory'] {
  const copy = db.prepare<[number, number, string]>(
    `INSERT INTO operations (run, key, kind, name, arguments, repeatable, source, attempt, bodies, intended_at,
       checkpointed_at, ok, outcome)
     SELECT ?, key, kind, name, arguments, repeatable, source, 0, 0, intended_at, checkpointed_at, ok, outcome
     FROM operations AS copied WHERE run = ? AND key < ? AND ok IS NOT NULL AND EXISTS (
       SELECT 1 FROM operations AS outermost
       WHERE outermost.run = copied.run AND outermost.key = substr(copied.key, 1, instr(copied.key || '.', '.') - 1)
         AND outermost.ok IS NOT NULL)`,
  );
  return (from, to, before) => {
    // What is nested in an operation goes with it: a fork inside one begins at that one.
    const [outermost = before] = before.split('.') as OperationId[];
    return copy.run(to.number, from.number, toSortKey(outermost)).changes;
  };
}
