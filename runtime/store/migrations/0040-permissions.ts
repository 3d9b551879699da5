import type { Migration } from '../migration.ts';

export const migration0040: Migration = {
  to: 40,
  purpose: 'live permissions, read before each attempt and platform call',
  up(db) {
    db.exec(`
      CREATE TABLE permissions (
        caller TEXT NOT NULL,
        resource TEXT NOT NULL,
        granted INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        changed_by TEXT NOT NULL,
        PRIMARY KEY (caller, resource)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
