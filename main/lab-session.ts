import { setTimeout as delay } from 'node:timers/promises';
import { localClient, type LabClient } from '../runtime/contract/index.ts';
import { LabError } from '../runtime/core/index.ts';
import { lockFolder } from '../runtime/store/index.ts';
import { connectControl, isGone } from './control-socket.ts';
import { makeDataFolder, type DataFolder } from './data-folder.ts';
import { describeHolder, readHostRecord } from './host-record.ts';
import { openReader } from './ledger-reader.ts';

/** How a command reaches the data folder's runs: as its host, through its living host, or reading its ledger. */
export interface LabSession {
  readonly role: 'host' | 'forwarded' | 'reader';
  readonly client: LabClient;
  /** Resolves when all is let go; a host first waits for others' work in it, and says so with `say`. */
  close(): Promise<void>;
  /** Ends live runs as interrupted and lets go, without waiting for anybody. */
  abandon(): Promise<void>;
}

/** How long a holder may take to answer before it is named as one that does not. */
const answerMs = 5000;
const readerAnswerMs = 1000;
const retryMs = 50;

/**
 * A session with the power to run: takes the folder's lock and becomes its host, or else asks the host that holds it.
 * Throws `locked` naming the holder when that one does not answer.
 */
export async function openHostSession(folder: DataFolder, say: (line: string) => void): Promise<LabSession> {
  makeDataFolder(folder);
  for (const until = Date.now() + answerMs; ; await delay(retryMs)) {
    const lock = lockFolder(folder.lock);
    if (lock !== null) {
      // Loaded only here: a command that is forwarded or only reads needs none of the runtime.
      const { becomeHost } = await import('./host.ts');
      return becomeHost(folder, lock, say);
    }
    const session = await askHost(folder, Math.max(retryMs, until - Date.now()));
    if (session !== null) return session;
    if (Date.now() < until) continue;
    const record = readHostRecord(folder);
    throw new LabError(
      'locked',
      `the data folder ${folder.root} is held by ${describeHolder(record)}, which does not answer`,
      'End that process, or name another folder with --data-dir.',
      record === null ? {} : { pid: record.pid, since: record.since },
    );
  }
}

/** A session that can read: through the living host when there is one, else the ledger itself, without a lock. */
export async function openReadingSession(folder: DataFolder): Promise<LabSession> {
  const session = await askHost(folder, readerAnswerMs);
  if (session !== null) return session;
  const reader = openReader(folder);
  const close = (): Promise<void> => {
    reader.close();
    return Promise.resolve();
  };
  return { role: 'reader', client: localClient(reader), close, abandon: close };
}

async function askHost(folder: DataFolder, waitMs: number): Promise<LabSession | null> {
  const record = readHostRecord(folder);
  if (record === null) return null;
  try {
    const client = await connectControl(record.socket, waitMs);
    return { role: 'forwarded', client, close: () => client.close(), abandon: () => client.close() };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
