import type { Migration } from '../migration.ts';

export const migration0050: Migration = {
  to: 50,
  purpose: 'what workflows tell each other: messages, events by key, streams',
  up(db) {
    db.exec(`
      CREATE TABLE messages (
        id INTEGER PRIMARY KEY,
        workflow TEXT NOT NULL,
        topic TEXT NOT NULL,
        body TEXT NOT NULL,
        sender TEXT NOT NULL,
        sent_at INTEGER NOT NULL,
        taker TEXT,
        taken_at INTEGER,
        UNIQUE (workflow, topic, sender)
      ) STRICT;
      CREATE INDEX messages_untaken ON messages (workflow, topic, id) WHERE taker IS NULL;

      CREATE TABLE workflow_events (
        workflow TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        set_at INTEGER NOT NULL,
        PRIMARY KEY (workflow, key)
      ) STRICT, WITHOUT ROWID;

      -- A null value closes the stream.
      CREATE TABLE streams (
        workflow TEXT NOT NULL,
        key TEXT NOT NULL,
        position INTEGER NOT NULL,
        value TEXT,
        writer TEXT NOT NULL,
        written_at INTEGER NOT NULL,
        PRIMARY KEY (workflow, key, position),
        UNIQUE (workflow, key, writer)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
