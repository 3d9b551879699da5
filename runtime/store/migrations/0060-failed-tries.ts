import type { Migration } from '../migration.ts';

export const migration0060: Migration = {
  to: 60,
  purpose: 'failed tries of an operation, found among the many events of its run',
  up(db) {
    // Of these events alone: every other write goes without it.
    db.exec(`CREATE INDEX events_of_tries ON events (run, operation, sequence) WHERE type = 'operation.try'`);
  },
};
