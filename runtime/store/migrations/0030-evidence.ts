import type { Migration } from '../migration.ts';

export const migration0030: Migration = {
  to: 30,
  purpose: 'evidence of what a run did: events, receipts, artifacts',
  up(db) {
    db.exec(`
      -- In the order they were written, for the reason that operations are.
      CREATE TABLE events (
        run INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        attempt INTEGER,
        operation TEXT,
        data TEXT NOT NULL,
        PRIMARY KEY (run, sequence)
      ) STRICT;

      CREATE TABLE receipts (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (number),
        attempt INTEGER,
        operation TEXT,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        ok INTEGER NOT NULL,
        at INTEGER NOT NULL,
        duration_ms REAL,
        data TEXT NOT NULL
      ) STRICT;
      CREATE INDEX receipts_by_run ON receipts (run);

      CREATE TABLE artifacts (
        run INTEGER NOT NULL REFERENCES runs (number),
        path TEXT NOT NULL,
        media_type TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        added_at INTEGER NOT NULL,
        PRIMARY KEY (run, path)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
