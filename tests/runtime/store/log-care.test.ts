import { describe, expect, it, onTestFinished } from 'vitest';
import {
  checkpointWhenIdle,
  closeWriter,
  logSize,
  openReader,
  openWriter,
  reserveLog,
  type Writer,
} from '../../../runtime/store/connection.ts';
import { migrate } from '../../../runtime/store/migration.ts';
import { ledgerFile } from '../../support/ledger-file.ts';

const mebibyte = 1024 * 1024;

function writer(file = ledgerFile()): Writer {
  const db = openWriter(file);
  onTestFinished(() => void db.close());
  migrate(db);
  db.exec('CREATE TABLE padding (filler BLOB) STRICT');
  return db;
}

function write(db: Writer, bytes: number): void {
  db.prepare('INSERT INTO padding VALUES (zeroblob(?))').run(bytes);
}

describe('the write-ahead log', () => {
  it('gets its room at the start, of which nothing is left in the ledger', () => {
    const db = writer();
    const before = db.prepare('SELECT * FROM sqlite_schema').all();
    const pages = db.pragma('page_count', { simple: true });
    reserveLog(db);
    expect(logSize(db)).toBeGreaterThanOrEqual(4 * mebibyte - 64 * 1024);
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
    expect(db.pragma('page_count', { simple: true })).toBe(pages);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('is written over from its start after a checkpoint, so that it does not grow', () => {
    const db = writer();
    reserveLog(db);
    const size = logSize(db);
    for (let round = 0; round < 5; round++) {
      write(db, 2 * mebibyte);
      checkpointWhenIdle(db);
    }
    expect(logSize(db)).toBe(size);
  });

  it('is cut back when a reader has held it and is gone', () => {
    const file = ledgerFile();
    const db = writer(file);
    const reader = openReader(file);
    reader.exec('BEGIN; SELECT count(*) FROM runs');
    for (let round = 0; round < 20; round++) write(db, mebibyte);
    checkpointWhenIdle(db);
    expect(logSize(db)).toBeGreaterThan(16 * mebibyte);
    reader.close();
    checkpointWhenIdle(db);
    expect(logSize(db)).toBe(0);
  });

  it('is gone when the ledger was closed', () => {
    const db = openWriter(ledgerFile());
    migrate(db);
    reserveLog(db);
    closeWriter(db);
    expect(logSize(db)).toBe(0);
  });
});

describe('a connection', () => {
  it('is refused where its settings cannot be had', () => {
    expect(() => openWriter(':memory:')).toThrow(/journal_mode = memory where wal is needed/);
  });

  it('that reads cannot write', () => {
    const file = ledgerFile();
    writer(file);
    const reader = openReader(file);
    onTestFinished(() => void reader.close());
    expect(() => reader.exec('DELETE FROM runs')).toThrow(/readonly/);
  });
});
