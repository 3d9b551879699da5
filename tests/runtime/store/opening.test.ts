import Database from 'better-sqlite3';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedger, openLedgerReadOnly } from '../../../runtime/store/index.ts';
import { ledgerFile, openTestLedger, startRun } from '../../support/ledger-file.ts';
import { createRun, writerThread } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const isRoot = process.getuid?.() === 0;
const program = fileURLToPath(new URL('../../fixtures/programs/open-ledger.ts', import.meta.url));

/** Of every file that holds content: SQLite may leave an empty log and its index beside a database that was looked at. */
function digests(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((name) => !name.endsWith('-shm') && statSync(join(folder, name)).size > 0);
  return Object.fromEntries(
    files.map((name) => {
      const path = join(folder, name);
      return [
        name,
        statSync(path).isDirectory() ? 'folder' : createHash('sha256').update(readFileSync(path)).digest('hex'),
      ];
    }),
  );
}

/** A closed ledger with some runs in it. */
async function closedLedger(): Promise<string> {
  const file = ledgerFile();
  const ledger = await openLedger({ file, writerThread });
  for (let n = 0; n < 30; n++) await startRun(ledger, `r${n}`, { input: JSON.stringify('x'.repeat(2000)) });
  await ledger.close();
  return file;
}

/** Refuses to be opened, for writing and for reading, and is as it was afterwards. */
async function expectRefused(file: string, code: string, message: RegExp): Promise<void> {
  const before = digests(dirname(file));
  const refusal = await refusalOf(openLedger({ file, writerThread }));
  expect(refusal.code).toBe(code);
  expect(refusal.message).toMatch(message);
  expect(refusal.message).toContain(file);
  expect(refusal.next).not.toBe('');
  expect((await refusalOf(Promise.resolve().then(() => openLedgerReadOnly({ file })))).code).toBe(code);
  expect(digests(dirname(file))).toEqual(before);
}

describe('opening a ledger', () => {
  it('creates it for its owner alone, durable as promised', async () => {
    const file = ledgerFile();
    const ledger = await openTestLedger(file);
    const flush = process.platform === 'darwin' ? 1 : 0;
    expect(ledger.settings()).toMatchObject({
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      fullfsync: flush,
      checkpoint_fullfsync: flush,
      busy_timeout: 5000,
    });
    for (const name of readdirSync(dirname(file)))
      expect([name, statSync(join(dirname(file), name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('finds everything again, and leaves one file when it is closed', async () => {
    const file = await closedLedger();
    expect(readdirSync(dirname(file))).toEqual(['ledger.sqlite']);
    const ledger = await openTestLedger(file);
    expect(ledger.run('r29')).toMatchObject({ state: 'running', lastSequence: 2 });
    const { events } = await ledger.commit([createRun('after')]);
    expect(events[0]?.sequence).toBe(1);
  });

  it('does not create it when that was not asked for', async () => {
    const file = ledgerFile();
    expect((await refusalOf(openLedger({ file, writerThread, create: false }))).code).toBe('not-found');
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('names the folder that is missing', async () => {
    const file = join(dirname(ledgerFile()), 'nowhere', 'ledger.sqlite');
    await expect(refusalOf(openLedger({ file, writerThread }))).resolves.toMatchObject({ code: 'not-found' });
  });

  it('says so when its writer thread cannot start', async () => {
    const missing = new URL('./no-such-writer.ts', import.meta.url);
    expect((await refusalOf(openLedger({ file: ledgerFile(), writerThread: missing }))).code).toBe('ledger-failed');
  });
});

describe('a file that is no sound ledger', () => {
  it('is refused when a newer program wrote it, naming both versions', async () => {
    const file = await closedLedger();
    const db = new Database(file);
    db.pragma('user_version = 9000');
    db.close();
    await expectRefused(file, 'ledger-newer', /version 9000.*up to 60/);
  });

  it('is refused when a page of it is damaged', async () => {
    const file = await closedLedger();
    const bytes = readFileSync(file);
    for (let at = 5 * 4096; at < 9 * 4096; at++) bytes[at] = 0xa5;
    writeFileSync(file, bytes);
    await expectRefused(file, 'ledger-corrupt', /damaged|check/);
  });

  it('is refused when its header is damaged', async () => {
    const file = await closedLedger();
    const bytes = readFileSync(file);
    bytes.write('SQLite format 7', 0);
    writeFileSync(file, bytes);
    await expectRefused(file, 'ledger-corrupt', /no ledger/);
  });

  it('is refused when its end is missing', async () => {
    const file = await closedLedger();
    truncateSync(file, 3 * 4096 + 100);
    await expectRefused(file, 'ledger-corrupt', /damaged|check/);
  });

  it('is refused when it is no database', async () => {
    const file = ledgerFile();
    writeFileSync(file, 'Dear diary,\n'.repeat(500));
    await expectRefused(file, 'ledger-corrupt', /no ledger/);
  });

  it('is refused when it is the database of another program', async () => {
    const file = ledgerFile();
    const db = new Database(file);
    db.exec('CREATE TABLE bookmarks (url TEXT)');
    db.close();
    await expectRefused(file, 'ledger-corrupt', /other program/);
  });

  it('is refused when a folder is in its place', async () => {
    const file = ledgerFile();
    mkdirSync(file);
    await expectRefused(file, 'ledger-corrupt', /folder/);
  });
});

describe('a ledger that this user may not write', () => {
  if (!isRoot) console.warn('skipped: another user can only be tried as root');
  const asNobody = (args: readonly string[]): string =>
    spawnSync(process.execPath, [program, ...args], { uid: 65534, gid: 65534, encoding: 'utf8' }).stdout.trim();

  it.runIf(isRoot)('is refused as such and unchanged, whether the file or its folder is read-only', async () => {
    const file = await closedLedger();
    const folder = dirname(file);
    const before = digests(folder);
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    expect(asNobody([file])).toMatch(/^ledger-unwritable: .*ledger\.sqlite/);
    chmodSync(file, 0o666);
    chmodSync(folder, 0o555);
    expect(asNobody([file])).toMatch(/^ledger-unwritable: .*ledger\.sqlite/);
    chmodSync(folder, 0o000);
    expect(asNobody([file])).toMatch(/^ledger-unwritable: .*ledger\.sqlite/);
    chmodSync(folder, 0o755);
    expect(asNobody([join(folder, 'new.sqlite')])).toMatch(/^ledger-unwritable: .*new\.sqlite/);
    expect(digests(folder)).toEqual(before);
    chownSync(folder, 65534, 65534);
    chownSync(file, 65534, 65534);
    expect(asNobody([file])).toBe('written');
  });
});

describe('openLedgerReadOnly', () => {
  it('reads while a host of another process writes, and sees each commit', async () => {
    const file = ledgerFile();
    const ledger = await openTestLedger(file);
    await ledger.commit([createRun('a')]);
    const read = (): string => execFileSync(process.execPath, [program, file, 'read'], { encoding: 'utf8' }).trim();
    expect(read()).toBe('read 1');
    await ledger.commit([createRun('b')]);
    expect(read()).toBe('read 2');
  });

  it('reads a ledger that no host holds', async () => {
    const file = await closedLedger();
    const reader = openLedgerReadOnly({ file });
    expect(reader.run('r3')).toMatchObject({ state: 'running', lastSequence: 2 });
    expect(reader.settings()).toMatchObject({ journal_mode: 'wal', ledgerVersion: 60 });
    reader.close();
  });

  it('says that there is no ledger yet', async () => {
    const file = ledgerFile();
    expect((await refusalOf(Promise.resolve().then(() => openLedgerReadOnly({ file })))).code).toBe('not-found');
    expect(readdirSync(dirname(file))).toEqual([]);
  });
});
