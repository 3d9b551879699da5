import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger, type OpenLedger } from '../../runtime/store/index.ts';
import type { LedgerWrite, OperationId } from '../../runtime/core/index.ts';

/**
 * What the ledger costs over the disk: `node tests/bench/ledger-floor.ts [FOLDER]`. Everything is measured in turns in one
 * run, so that the ratios hold while the machine is busy with other things.
 */
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'ledger-floor-'));
const rounds = 7;
const sequential = 300;
const callers = 100;
const each = 40;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const bindings = { release: 'sha256:0', input: 'sha256:0', variables: '', sdk: '', node: '', engine: '' };

/** Milliseconds a transaction of one row takes: WAL, FULL, the row as large as an operation's, on a log that grows. */
function floorMs(): number {
  const file = join(folder, `floor-${performance.now()}.sqlite`);
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = db.prepare('INSERT INTO rows (body) VALUES (?)');
  const body = 'x'.repeat(100);
  const from = performance.now();
  for (let i = 0; i < sequential; i++) insert.run(body);
  const took = (performance.now() - from) / sequential;
  db.close();
  return took;
}

async function startRuns(ledger: OpenLedger, prefix: string, count: number): Promise<string[]> {
  const runs = Array.from({ length: count }, (_, i) => `${prefix}-${i}`.padEnd(36, '-'));
  await Promise.all(
    runs.map((id) =>
      ledger.commit([
        {
          tag: 'run/create',
          at: Date.now(),
          run: {
            id,
            relay: 'bench',
            caller: 'bench',
            durability: 'dbos',
            input: '{}',
            bindings,
            attemptBudget: 3,
            deadlineMs: 3_600_000,
            recovery: 'off',
            draftFolder: null,
            forkedFrom: null,
          },
        },
        { tag: 'run/claim', at: Date.now(), run: id, revision: 1, holder: { pid: 1, startTime: '1' }, crashPlan: [] },
      ]),
    ),
  );
  return runs;
}

async function operate(ledger: OpenLedger, run: string, count: number): Promise<void> {
  const claim = { run, epoch: 1 };
  for (let n = 0; n < count; n++) {
    const id = String(n) as OperationId;
    const intend: LedgerWrite = {
      tag: 'operation/intend',
      at: Date.now(),
      claim,
      attempt: 1,
      id,
      kind: 'step',
      name: 'reserve',
      arguments: '{"json":[{"sku":"A-1","count":2}]}',
      repeatable: true,
      source: 'relay.ts:12:18',
    };
    void ledger.commit([intend], { lazy: true });
    const outcome = { ok: true, value: '{"json":{"reservation":"r-17"}}' } as const;
    await ledger.commit([{ tag: 'operation/checkpoint', at: Date.now(), claim, attempt: 1, id, outcome }]);
  }
}

const ledger = await openLedger({
  file: join(folder, 'ledger.sqlite'),
  writerThread: new URL('../../out/main/writer-thread.js', import.meta.url),
});
const floors: number[] = [];
const singles: number[] = [];
const rates: number[] = [];
for (let round = 0; round < rounds; round++) {
  floors.push(floorMs());
  const [single = ''] = await startRuns(ledger, `single-${round}`, 1);
  let from = performance.now();
  await operate(ledger, single, sequential);
  singles.push((performance.now() - from) / sequential);
  const runs = await startRuns(ledger, `many-${round}`, callers);
  from = performance.now();
  await Promise.all(runs.map((run) => operate(ledger, run, each)));
  rates.push((callers * each * 1000) / (performance.now() - from));
}
await ledger.close();
rmSync(folder, { recursive: true });

const floor = median(floors);
console.log(
  `floor                 ${floor.toFixed(3)} ms a transaction of one row (${floors.map((ms) => ms.toFixed(3)).join(' ')})`,
);
console.log(
  `sequential operation  ${median(singles).toFixed(3)} ms = ${(median(singles) / floor).toFixed(2)} × the floor (${singles.map((ms) => ms.toFixed(3)).join(' ')})`,
);
console.log(
  `${callers} callers           ${median(rates).toFixed(0)} operations/s = ${((median(rates) * floor) / 1000).toFixed(1)} × the floor's rate (${rates.map((rate) => rate.toFixed(0)).join(' ')})`,
);
