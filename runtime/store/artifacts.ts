import type { LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';
import type { KnownRun } from './known-runs.ts';

type ArtifactAdd = Extract<LedgerWrite, { tag: 'artifact/add' }>;

/** A file that a run left behind. The path is relative to the run's folder. */
interface Artifact {
  readonly run: string;
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly addedAt: number;
}

export function prepareArtifactWrites(db: Writer): (run: KnownRun, write: ArtifactAdd) => void {
  // A file that was written again is the same artifact with other content.
  const add = db.prepare<[number, string, string, number, string, number]>(
    `INSERT INTO artifacts (run, path, media_type, bytes, sha256, added_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, path) DO UPDATE SET
       media_type = excluded.media_type, bytes = excluded.bytes, sha256 = excluded.sha256, added_at = excluded.added_at`,
  );
  return (run, { path, mediaType, bytes, sha256, at }) => {
    add.run(run.number, path, mediaType, bytes, sha256, at);
  };
}

export interface ArtifactQueries {
  /** By path. */
  artifacts(run: string): Artifact[];
}

export function prepareArtifactQueries(db: Reader): ArtifactQueries {
  const all = db.prepare<[string], Artifact>(
    `SELECT runs.id AS run, path, media_type AS mediaType, bytes, sha256, added_at AS addedAt
     FROM runs JOIN artifacts ON artifacts.run = runs.number WHERE runs.id = ? ORDER BY path`,
  );
  return { artifacts: (run) => all.all(run) };
}
