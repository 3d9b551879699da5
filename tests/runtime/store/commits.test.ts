import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LabError, type LedgerWrite } from '../../../runtime/core/index.ts';
import type { LabEvent } from '../../../runtime/contract/index.ts';
import { ledgerFile, openTestLedger, startRun } from '../../support/ledger-file.ts';
import { checkpoint, createRun, intend, moveRun, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const note = (run: string, data: number): LedgerWrite => ({
  tag: 'event/add',
  at: testTime,
  run,
  type: 'note',
  attempt: null,
  operation: null,
  data,
});

/** Breaks the transaction in SQLite itself, past every guard: no such time can be stored. */
const poison = (run: string): LedgerWrite => ({ ...note(run, 0), at: 'never' as never });

describe('commit', () => {
  it('resolves only when another connection can read what was written', async () => {
    const ledger = await openTestLedger();
    for (let n = 0; n < 20; n++) {
      await ledger.commit([createRun(`run-${n}`)]);
      expect(ledger.run(`run-${n}`)?.revision).toBe(1);
    }
  });

  it('keeps units in the order they were given, however they are grouped', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const settled: number[] = [];
    const units = Array.from({ length: 200 }, (_, n) =>
      ledger
        .commit([note('r', n)], { lazy: n % 3 !== 0 })
        .then(({ events }) => settled.push(events[0]?.data as number)),
    );
    await Promise.all(units);
    const inOrder = Array.from({ length: 200 }, (_, n) => n);
    expect(settled).toEqual(inOrder);
    expect(ledger.events('r', { after: 1, limit: 500 }).map((event) => event.data)).toEqual(inOrder);
  });

  it('gives a lazy unit to the next that is not, before it', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const lazy = ledger.commit([note('r', 1)], { lazy: true });
    await ledger.commit([note('r', 2)]);
    expect(ledger.events('r', { after: 1, limit: 10 }).map((event) => event.data)).toEqual([1, 2]);
    await lazy;
  });

  it('commits a lazy unit that nothing follows', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    await ledger.commit([note('r', 1)], { lazy: true });
    expect(ledger.events('r', { after: 1, limit: 10 })).toHaveLength(1);
  });

  it('tells listeners of each event, in commit order and when it can be read', async () => {
    const ledger = await openTestLedger();
    const heard: LabEvent[] = [];
    const readable: boolean[] = [];
    ledger.onEvent((event) => {
      heard.push(event);
      readable.push((ledger.run(event.run)?.lastSequence ?? 0) >= event.sequence);
    });
    const stop = ledger.onEvent(() => heard.push({ ...(heard[0] as LabEvent), type: 'log' }));
    stop();
    await startRun(ledger, 'r');
    void ledger.commit([intend('r', '0')], { lazy: true });
    await ledger.commit([checkpoint('r', '0')]);
    expect(heard).toEqual(ledger.events('r', { after: 0, limit: 100 }));
    expect(readable).not.toContain(false);
  });
});

describe('a unit that is refused', () => {
  it('writes nothing, rejects itself alone, and leaves its neighbours in the batch as they are', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const results = await Promise.allSettled([
      ledger.commit([note('r', 1)]),
      ledger.commit([note('r', 2), moveRun('r', ['running'], 'succeeded'), note('r', 3)]),
      ledger.commit([note('nobody', 4)]),
      ledger.commit([note('r', 5)]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const events = ledger.events('r', { after: 1, limit: 10 });
    expect(events.map(({ sequence, data }) => [sequence, data])).toEqual([
      [2, 1],
      [3, 5],
    ]);
    expect(ledger.run('r')?.state).toBe('queued');
  });

  it('does not leave its revision or epoch behind for the next unit of the batch', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const refused = ledger.commit([moveRun('r', ['running'], 'interrupted'), note('nobody', 1)]);
    const next = ledger.commit([moveRun('r', ['running'], 'waiting', { revision: 2 })]);
    expect((await refusalOf(refused)).code).toBe('not-found');
    expect((await next).events[0]?.data).toMatchObject({ from: 'running', to: 'waiting', revision: 3 });
  });
});

describe('a unit that SQLite cannot take', () => {
  it('fails alone: its batch is undone and each other unit commits by itself, in order', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const results = await Promise.allSettled([
      ledger.commit([note('r', 1)]),
      ledger.commit([note('r', 2), poison('r')]),
      ledger.commit([poison('r')]),
      ledger.commit([note('r', 3)]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const reason: unknown = (results[2] as PromiseRejectedResult).reason;
    expect(reason).toBeInstanceOf(LabError);
    expect((reason as LabError).code).toBe('internal');
    const events = ledger.events('r', { after: 1, limit: 10 });
    expect(events.map(({ sequence, data }) => [sequence, data])).toEqual([
      [2, 1],
      [3, 3],
    ]);
  });

  it('fails alone when it cannot even be handed to the writer', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const before = ledger.commit([note('r', 1)]);
    const unsendable = ledger.commit([note('r', (() => 1) as never)]);
    const after = ledger.commit([note('r', 2)]);
    expect((await refusalOf(unsendable)).code).toBe('internal');
    await Promise.all([before, after]);
    expect(ledger.events('r', { after: 1, limit: 10 }).map((event) => event.data)).toEqual([1, 2]);
  });
});

describe('a ledger that another process keeps locked', () => {
  it('refuses what was given as locked, after one wait for all, and goes on when the lock is free', async () => {
    const file = ledgerFile();
    const ledger = await openTestLedger(file);
    await ledger.commit([createRun('r')]);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const refusals = await Promise.all([
      refusalOf(ledger.commit([note('r', 1)])),
      refusalOf(ledger.commit([note('r', 2)])),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(['locked', 'locked']);
    other.close();
    const { events } = await ledger.commit([note('r', 3)]);
    expect(events[0]?.sequence).toBe(2);
  });
});

describe('close', () => {
  it('commits what was given before it, lazy or not, and refuses what comes after', async () => {
    const ledger = await openTestLedger();
    await ledger.commit([createRun('r')]);
    const given = [ledger.commit([note('r', 1)], { lazy: true }), ledger.commit([note('r', 2)])];
    const closed = ledger.close();
    const late = ledger.commit([note('r', 3)]);
    expect((await refusalOf(late)).code).toBe('ledger-failed');
    await Promise.all([...given, closed, ledger.close()]);
  });
});
