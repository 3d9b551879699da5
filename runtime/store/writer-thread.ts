import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { asLabError, LabError } from '../core/index.ts';
import { prepareBatches, type CommitBatch } from './batch.ts';
import { checkpointWhenIdle, closeWriter, openWriter, readSettings, reserveLog, type Writer } from './connection.ts';
import { createLedgerFile, inspectLedger, requireRights } from './ledger-file.ts';
import { migrate, newestVersion } from './migration.ts';
import { unpackUnit } from './packed-unit.ts';
import { ledgerError } from './sqlite-errors.ts';
import type { FromWriter, ToWriter, Unit, WriterOrder } from './writer-messages.ts';

/** The thread that owns the one writing connection. It ends when it is asked to, after closing the database. */

const idleMs = 100;
/** Units of one commit. With more, the first would wait for the last while the other thread has nothing to do. */
const largestBatch = 128;

function open({ file, create }: WriterOrder): Writer {
  requireRights(file);
  const found = inspectLedger(file);
  if (found.kind === 'empty') {
    if (!create)
      throw new LabError('not-found', `there is no ledger ${file}`, 'Start a run once, or name another data folder.');
    createLedgerFile(file);
  }
  try {
    const db = openWriter(file);
    try {
      migrate(db);
      requireWritable(db);
      return db;
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  } catch (thrown) {
    throw ledgerError(thrown, file);
  }
}

/** SQLite opens a read-only file without a word, and even locks it; only a write tells. This one is taken back. */
function requireWritable(db: Writer): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.pragma(`user_version = ${newestVersion}`);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

function serve(port: MessagePort, db: Writer): void {
  const commitBatch: CommitBatch = prepareBatches(db);
  const say = (message: FromWriter): void => port.postMessage(message);
  const idle = setTimeout(() => tend(db, checkpointWhenIdle), idleMs);

  port.on('message', (first: ToWriter) => {
    const units: Unit[] = [];
    let closing = false;
    // Everything that is waiting shares a commit.
    for (let message: ToWriter | undefined = first; message !== undefined; message = nextWaiting(port)) {
      if (message.tag === 'units') for (const packed of message.units) units.push(unpackUnit(packed));
      else closing = true;
    }
    for (let from = 0; from < units.length; from += largestBatch) {
      say({ tag: 'outcomes', outcomes: commitBatch(units.slice(from, from + largestBatch)) });
    }
    if (!closing) {
      idle.refresh();
      return;
    }
    clearTimeout(idle);
    closeWriter(db);
    say({ tag: 'closed' });
    port.close();
  });
}

function nextWaiting(port: MessagePort): ToWriter | undefined {
  return (receiveMessageOnPort(port) as { message: ToWriter } | undefined)?.message;
}

/** Care for the log. Nothing that was acknowledged depends on it, and a fault that matters shows at the next commit. */
function tend(db: Writer, care: (db: Writer) => void): void {
  try {
    care(db);
  } catch {
    // See above: the log is as durable as the database, however large it is.
  }
}

if (parentPort === null) throw new Error('writer-thread is started as a worker thread by openLedger');
let db: Writer | null = null;
try {
  db = open(workerData as WriterOrder);
} catch (thrown) {
  parentPort.postMessage({ tag: 'not-open', error: asLabError(thrown).toData() } satisfies FromWriter);
}
if (db !== null) {
  serve(parentPort, db);
  parentPort.postMessage({ tag: 'open', settings: readSettings(db) } satisfies FromWriter);
  tend(db, reserveLog);
}
