import { isLive, LabError, liveStates, type Claim, type RunState } from '../core/index.ts';
import type { Writer } from './connection.ts';

/** What the writer remembers of a run, so that a write's guard costs no query. */
export interface KnownRun {
  readonly id: string;
  readonly number: number;
  state: RunState;
  revision: number;
  epoch: number;
  attempts: number;
  /** The newest event's sequence number. */
  sequence: number;
}

const remembered = 10_000;

/**
 * The runs that this connection wrote to. It is right as long as nobody else commits: `begin` asks SQLite so inside each
 * write transaction, under the lock (`PRAGMA data_version` changes exactly when another connection has committed), and
 * forgets everything otherwise. So a guard that reads from here is as good as one that reads the row.
 */
export class KnownRuns {
  readonly #known = new Map<string, KnownRun>();
  readonly #load;
  readonly #dataVersion;
  #seenVersion: number | null = null;

  constructor(db: Writer) {
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
    this.#load = db.prepare<[string], KnownRun>(
      `SELECT id, number, state, revision, epoch, attempts,
         (SELECT coalesce(max(sequence), 0) FROM events WHERE run = runs.number) AS sequence
       FROM runs WHERE id = ?`,
    );
  }

  /** To be called in each write transaction, before the first write. */
  begin(): void {
    const version = this.#dataVersion.get() ?? null;
    if (version !== this.#seenVersion || this.#known.size > remembered) this.#known.clear();
    this.#seenVersion = version;
  }

  /** After a rollback: what was remembered of the writes that are undone is wrong. */
  forget(): void {
    this.#known.clear();
  }

  find(id: string): KnownRun | null {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const loaded = this.#load.get(id);
    if (loaded === undefined) return null;
    this.#known.set(id, loaded);
    return loaded;
  }

  /** Throws `not-found`. */
  get(id: string): KnownRun {
    const run = this.find(id);
    if (run !== null) return run;
    throw new LabError('not-found', `there is no run ${id} in this ledger`, 'List the runs to find its id.', {
      run: id,
    });
  }

  /** The claim's run, while it is live and the claim is its latest. Throws `claim-lost` or `wrong-state`. */
  held(claim: Claim): KnownRun {
    const run = this.get(claim.run);
    requireEpoch(run, claim.epoch);
    if (!isLive(run.state)) throw wrongState(run, liveStates);
    return run;
  }
}

export function requireEpoch(run: KnownRun, epoch: number): void {
  if (run.epoch === epoch) return;
  throw new LabError(
    'claim-lost',
    `run ${run.id} was claimed with epoch ${run.epoch}; this write was made under epoch ${epoch}`,
    'Another executor has the run now. Stop this one.',
    { run: run.id, found: run.epoch, expected: epoch },
  );
}

export function requireRevision(run: KnownRun, revision: number): void {
  if (run.revision === revision) return;
  throw new LabError(
    'conflict',
    `run ${run.id} is at revision ${run.revision} (${run.state}); this was decided on revision ${revision}`,
    'Look at the run again and decide anew.',
    { run: run.id, found: run.revision, expected: revision, state: run.state },
  );
}

export function wrongState(run: KnownRun, expected: readonly RunState[]): LabError {
  return new LabError(
    'wrong-state',
    `run ${run.id} is ${run.state}; expected ${expected.join(' or ')}`,
    'Look at the run again: what was asked for fits another state.',
    { run: run.id, found: run.state, expected: [...expected] },
  );
}
