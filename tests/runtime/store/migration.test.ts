import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openWriter, type Writer } from '../../../runtime/store/connection.ts';
import { eventsSql, lastEventSql, triesSql } from '../../../runtime/store/events.ts';
import { oldestMessageSql } from '../../../runtime/store/messages.ts';
import { migrate, migrations, newestVersion } from '../../../runtime/store/migration.ts';
import {
  childWorkflowSql,
  historySql,
  operationSql,
  operationsSql,
  uncertainSql,
} from '../../../runtime/store/operation-queries.ts';
import { isGrantedSql } from '../../../runtime/store/permissions.ts';
import { receiptsSql } from '../../../runtime/store/receipts.ts';
import { listRunsSql, runCountsSql, runsInStateSql, runSql } from '../../../runtime/store/run-queries.ts';
import { openLedgerReadOnly } from '../../../runtime/store/index.ts';
import { ledgerFile, openTestLedger, startRun } from '../../support/ledger-file.ts';
import { refusalOf } from '../../support/refusal.ts';

const versions = migrations.map((migration) => migration.to);

function withWriter<Result>(file: string, use: (db: Writer) => Result): Result {
  const db = openWriter(file);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const schemaOf = (db: Writer): unknown =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();

describe('migrations', () => {
  it('rise by ten, each with a purpose of its own', () => {
    expect(versions).toEqual(versions.map((_, n) => (n + 1) * 10));
    expect(new Set(migrations.map((migration) => migration.purpose)).size).toBe(migrations.length);
  });

  it('bring an empty file to the newest version, with strict tables only', async () => {
    const file = ledgerFile();
    new Database(file).close();
    const ledger = await openTestLedger(file);
    expect(ledger.settings().ledgerVersion).toBe(newestVersion);
    await ledger.close();
    const tables = withWriter(file, (db) =>
      db
        .prepare<[], { name: string; strict: number }>(
          "SELECT name, strict FROM pragma_table_list WHERE schema = 'main'",
        )
        .all(),
    ).filter(({ name }) => !name.startsWith('sqlite_'));
    expect(tables.filter(({ strict }) => strict === 0)).toEqual([]);
    expect(tables.map(({ name }) => name).sort()).toEqual([
      'artifacts',
      'attempts',
      'events',
      'messages',
      'operations',
      'permissions',
      'receipts',
      'runs',
      'streams',
      'workflow_events',
    ]);
  });

  it.each(versions)('lead from version %i to the same schema as from nothing, and keep its rows', async (version) => {
    const fresh = withWriter(ledgerFile(), (db) => {
      migrate(db);
      return schemaOf(db);
    });
    const file = ledgerFile();
    withWriter(file, (db) => {
      migrate(db, version);
      expect(db.pragma('user_version', { simple: true })).toBe(version);
      db.exec(`INSERT INTO runs (id, relay, caller, durability, state, revision, epoch, input, recovery, attempts, attempt_budget,
        deadline_ms, created_at, bindings) VALUES ('old', 'x', 'me', 'dbos', 'queued', 1, 0, '1', 'off', 0, 3, 1000, 5, '{}')`);
    });
    if (version < newestVersion) {
      const tooOld = Promise.resolve().then(() => openLedgerReadOnly({ file }));
      expect(await refusalOf(tooOld)).toMatchObject({
        code: 'wrong-state',
        facts: { found: version, known: newestVersion },
      });
    }
    const ledger = await openTestLedger(file);
    expect(ledger.run('old')).toMatchObject({ relay: 'x', state: 'queued', createdAt: 5 });
    await startRun(ledger, 'new');
    await ledger.close();
    expect(withWriter(file, schemaOf)).toEqual(fresh);
  });

  it('leave a ledger as it was when one of them fails half way', () => {
    const file = ledgerFile();
    withWriter(file, (db) => {
      migrate(db, 10);
      // In the way of what the next migration creates last.
      db.exec('CREATE TABLE operations_by_child (x)');
      const before = schemaOf(db);
      expect(() => migrate(db)).toThrow(/operations_by_child/);
      expect(schemaOf(db)).toEqual(before);
      expect(db.pragma('user_version', { simple: true })).toBe(10);
    });
  });
});

describe('the plan of a hot query', () => {
  const filters = [false, true].flatMap((relay) =>
    [false, true].flatMap((state) => [false, true].map((before) => ({ relay, state, before }))),
  );
  const plans: [string, string, RegExp][] = [
    ['one run', runSql, /SEARCH runs USING INDEX sqlite_autoindex_runs_1 \(id=\?\)/],
    ['runs in a state', runsInStateSql, /SEARCH runs USING INDEX runs_by_state \(state=\?\)/],
    [
      'one operation',
      operationSql,
      /SEARCH operations USING INDEX sqlite_autoindex_operations_1 \(run=\? AND key=\?\)/,
    ],
    [
      'a page of operations',
      operationsSql,
      /SEARCH operations USING INDEX sqlite_autoindex_operations_1 \(run=\? AND key>\?\)/,
    ],
    ['a history', historySql, /SEARCH operations USING INDEX sqlite_autoindex_operations_1 \(run=\?\)/],
    ['uncertain operations', uncertainSql, /SEARCH operations USING INDEX sqlite_autoindex_operations_1 \(run=\?\)/],
    ['a child workflow', childWorkflowSql, /SEARCH operations USING INDEX operations_by_child \(child_workflow=\?\)/],
    ['a page of events', eventsSql, /SEARCH events USING INDEX sqlite_autoindex_events_1 \(run=\? AND sequence>\?\)/],
    ['failed tries', triesSql, /SEARCH events USING INDEX events_of_tries \(run=\? AND operation=\?\)/],
    ['the newest event', lastEventSql, /SEARCH events USING INTEGER PRIMARY KEY \(rowid=\?\)/],
    ['runs by state', runCountsSql, /SCAN runs USING COVERING INDEX runs_by_state/],
    ['receipts', receiptsSql, /SEARCH receipts USING INDEX receipts_by_run \(run=\?\)/],
    ['a permission', isGrantedSql, /SEARCH permissions USING PRIMARY KEY \(caller=\? AND resource=\?\)/],
    [
      'the oldest message',
      oldestMessageSql,
      /SEARCH messages USING INDEX messages_untaken \(workflow=\? AND topic=\?\)/,
    ],
    ...filters.map((filter): [string, string, RegExp] => [
      `a page of runs by ${JSON.stringify(filter)}`,
      listRunsSql(filter),
      /(SEARCH|SCAN) runs USING INDEX runs_by_(time|state|relay)/,
    ]),
  ];

  it.each(plans)('%s uses its index, scans no other table and sorts nothing', (_name, sql, expected) => {
    const plan = withWriter(ledgerFile(), (db) => {
      migrate(db);
      const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const parameters = sql
        .split('?')
        .slice(1)
        .map(() => 1);
      return steps.all(...parameters).map(({ detail }) => detail);
    }).join('\n');
    expect(plan).toMatch(expected);
    expect(plan).not.toMatch(/TEMP B-TREE/);
    expect(plan.replace(/SCAN runs USING (INDEX runs_by_time|COVERING INDEX runs_by_state)/, '')).not.toMatch(
      /SCAN (?!CONSTANT)/,
    );
  });
});
