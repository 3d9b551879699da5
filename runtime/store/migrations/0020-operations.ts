import type { Migration } from '../migration.ts';

export const migration0020: Migration = {
  to: 20,
  purpose: 'operations in program order of their run',
  up(db) {
    db.exec(`
      CREATE TABLE operations (
        run INTEGER NOT NULL REFERENCES runs (number),
        -- toSortKey of the operation id.
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        arguments TEXT,
        repeatable INTEGER NOT NULL,
        -- A person decided that its body may run once more.
        freed INTEGER NOT NULL DEFAULT 0,
        source TEXT,
        attempt INTEGER NOT NULL,
        bodies INTEGER NOT NULL,
        intended_at INTEGER NOT NULL,
        checkpointed_at INTEGER,
        -- The outcome: 1 and a value, or 0 and an error as JSON; null while it is only intended.
        ok INTEGER,
        outcome TEXT,
        child_workflow TEXT GENERATED ALWAYS AS (
          CASE WHEN kind = 'child' AND json_valid(arguments) THEN json_extract(arguments, '$.workflow') END
        ) VIRTUAL,
        PRIMARY KEY (run, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX operations_by_child ON operations (child_workflow) WHERE child_workflow IS NOT NULL;
    `);
  },
};
