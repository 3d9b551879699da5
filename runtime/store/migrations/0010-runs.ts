import type { Migration } from '../migration.ts';

export const migration0010: Migration = {
  to: 10,
  purpose: 'runs by number and id, and the attempts of each',
  up(db) {
    db.exec(`
      CREATE TABLE runs (
        -- Stands for the run in every other table: four bytes where the id takes dozens.
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        relay TEXT NOT NULL,
        caller TEXT NOT NULL,
        durability TEXT NOT NULL,
        state TEXT NOT NULL,
        revision INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        reason TEXT,
        input TEXT NOT NULL,
        result TEXT,
        error TEXT,
        recovery TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        attempt_budget INTEGER NOT NULL,
        deadline_ms INTEGER NOT NULL,
        deadline_at INTEGER,
        created_at INTEGER NOT NULL,
        started_at INTEGER,
        finished_at INTEGER,
        holder_pid INTEGER,
        holder_start TEXT,
        draft_folder TEXT,
        forked_run TEXT,
        forked_operation TEXT,
        bindings TEXT NOT NULL
      ) STRICT;
      CREATE INDEX runs_by_time ON runs (created_at, id);
      CREATE INDEX runs_by_state ON runs (state, created_at, id);
      CREATE INDEX runs_by_relay ON runs (relay, created_at, id);

      CREATE TABLE attempts (
        run INTEGER NOT NULL REFERENCES runs (number),
        number INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        pid INTEGER,
        start_time TEXT,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        cause TEXT,
        reused INTEGER NOT NULL DEFAULT 0,
        crash_plan TEXT NOT NULL,
        PRIMARY KEY (run, number)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
