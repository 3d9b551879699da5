import { Worker } from 'node:worker_threads';
import type { LabEvent } from '../contract/index.ts';
import { asLabError, LabError } from '../core/index.ts';
import { logSize, openReader, readSettings, type ConnectionSettings, type Reader } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { inspectLedger } from './ledger-file.ts';
import { prepareQueries, type LedgerQueries } from './ledger-queries.ts';
import { newestVersion } from './migration.ts';
import { ledgerError } from './sqlite-errors.ts';
import type { Committed, FromWriter, ToWriter, Unit, WriterOrder } from './writer-messages.ts';

/** How a ledger is held open, for `doctor`: as its connection reports it, not as it was asked to be. */
interface LedgerSettings extends ConnectionSettings {
  readonly sqliteVersion: string;
  /** The schema's version. */
  readonly ledgerVersion: number;
  /** Bytes of the write-ahead log now. */
  readonly logBytes: number;
}

export interface ReadOnlyLedger extends LedgerQueries {
  settings(): LedgerSettings;
  close(): void;
}

export interface OpenLedger extends LedgerQueries {
  /**
   * Makes one unit durable and resolves after its commit returned. A unit that is refused writes nothing and rejects
   * with a LabError; a ledger that cannot be written rejects with one of class `broken`. `lazy` units wait for the next
   * that is not, for at most `limits.lazyIntentMs`. Units commit in the order they were given.
   */
  commit(unit: Unit, options?: { readonly lazy?: boolean }): Promise<Committed>;
  /** Calls back for each committed event of any run, in commit order, after its commit. Returns the way to stop. */
  onEvent(listener: (event: LabEvent) => void): () => void;
  /** Of the writing connection, read back from it when it was opened. Nothing changes them afterwards. */
  settings(): LedgerSettings;
  /** Commits what was given, then closes both connections and ends the writer's thread. */
  close(): Promise<void>;
}

/**
 * Opens the ledger for a host. `writerThread` is the built `writer-thread`, a URL or an absolute path. Throws `ledger-newer`, `ledger-corrupt`,
 * `ledger-unwritable`, `disk-full`, `not-found`; what is there is unchanged then.
 */
export async function openLedger(order: {
  readonly file: string;
  readonly writerThread: URL | string;
  readonly create?: boolean;
}): Promise<OpenLedger> {
  const { file, create = true } = order;
  const worker = new Worker(order.writerThread, {
    name: 'ledger-writer',
    workerData: { file, create } satisfies WriterOrder,
  });
  const exited = Promise.withResolvers<undefined>();
  const listeners = new Set<(event: LabEvent) => void>();
  const post = (message: ToWriter): void => worker.postMessage(message);
  const commits = new GroupCommit(post, (event) => {
    for (const listener of listeners) tell(listener, event);
  });
  const opened = Promise.withResolvers<ConnectionSettings>();

  worker.on('message', (message: FromWriter) => {
    if (message.tag === 'outcomes') commits.settle(message.outcomes);
    else if (message.tag === 'open') opened.resolve(message.settings);
    else if (message.tag === 'not-open') opened.reject(LabError.fromData(message.error));
  });
  worker.on('error', (thrown) => gone(thrown));
  worker.on('exit', (code) => {
    gone(new Error(`it ended with code ${code}`));
    exited.resolve(undefined);
  });
  function gone(thrown: unknown): void {
    const error = new LabError(
      'ledger-failed',
      `the writer thread of the ledger ${file} is gone: ${asLabError(thrown).message}`,
      'Start the host again: what was acknowledged is in the ledger.',
    );
    commits.fail(error);
    opened.reject(error);
  }

  const writerSettings = await opened.promise;
  let reader: Reader;
  try {
    reader = openReader(file);
  } catch (thrown) {
    post({ tag: 'close' });
    await exited.promise;
    throw ledgerError(thrown, file);
  }
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    // Empty and in line behind what was given: when it is back, so is everything before it.
    const last = commits.commit([], false);
    commits.refuse(new LabError('ledger-failed', `the ledger ${file} is closed`, 'This host is shutting down.'));
    await last.catch(() => undefined);
    // The writer comes last, so that it finds nobody on the log and can fold it into the database.
    reader.close();
    post({ tag: 'close' });
    await exited.promise;
  }
  return {
    ...prepareQueries(reader),
    commit: (unit, options) => commits.commit(unit, options?.lazy === true),
    onEvent(listener) {
      // Not the function itself: the same one may listen twice.
      const entry = (event: LabEvent): void => listener(event);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    settings: () => describe(reader, writerSettings),
    close: () => (closing ??= close()),
  };
}

/** Opens a ledger only to read it, also while a host writes to it. */
export function openLedgerReadOnly({ file }: { readonly file: string }): ReadOnlyLedger {
  const found = inspectLedger(file);
  if (found.kind === 'empty') {
    throw new LabError('not-found', `there is no ledger ${file}`, 'Start a run once, or name another data folder.');
  }
  if (found.version < newestVersion) {
    throw new LabError(
      'wrong-state',
      `the ledger ${file} has version ${found.version}; this program reads version ${newestVersion}`,
      'Start a host on it once, for example with `recovery-lab doctor`: that brings it up to date.',
      { found: found.version, known: newestVersion },
    );
  }
  try {
    const reader = openReader(file);
    return {
      ...prepareQueries(reader),
      settings: () => describe(reader, readSettings(reader)),
      close: () => void reader.close(),
    };
  } catch (thrown) {
    throw ledgerError(thrown, file);
  }
}

function describe(reader: Reader, settings: ConnectionSettings): LedgerSettings {
  return {
    sqliteVersion: String(reader.prepare('SELECT sqlite_version()').pluck().get()),
    ledgerVersion: Number(reader.pragma('user_version', { simple: true })),
    ...settings,
    logBytes: logSize(reader),
  };
}

/** A listener that throws is a fault of its own: it is reported as uncaught, and no other is passed over for it. */
function tell(listener: (event: LabEvent) => void, event: LabEvent): void {
  try {
    listener(event);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}
