import { lstatSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { onFiles, type DataFolder } from './data-folder.ts';

/** Who holds a data folder, for others to read. It says who to ask; only the lock says that somebody holds it. */
export interface HostRecord {
  readonly pid: number;
  /** When it took the lock, milliseconds since 1970. */
  readonly since: number;
  /** Path of its control socket. */
  readonly socket: string;
}

export function writeHostRecord(folder: DataFolder, record: HostRecord): void {
  onFiles(`${folder.hostRecord} cannot be written`, () => {
    const written = `${folder.hostRecord}.new`;
    writeFileSync(written, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(written, folder.hostRecord);
  });
}

/** Null when there is none, or none that can be read. */
export function readHostRecord(folder: DataFolder): HostRecord | null {
  try {
    const { pid, since, socket } = JSON.parse(readFileSync(folder.hostRecord, 'utf8')) as Partial<HostRecord>;
    if (typeof pid !== 'number' || typeof since !== 'number' || typeof socket !== 'string') return null;
    return { pid, since, socket };
  } catch {
    return null;
  }
}

/** Clears the record and its socket: this host's own at its end, or those of one that died. Needs the lock. */
export function clearHostRecord(folder: DataFolder): void {
  const record = readHostRecord(folder);
  rmSync(folder.hostRecord, { force: true });
  if (record === null) return;
  try {
    if (lstatSync(record.socket, { throwIfNoEntry: false })?.isSocket() === true) rmSync(record.socket);
    // A socket outside the data folder stands alone in a folder of its own; rmdir spares one that holds more.
    if (dirname(record.socket) !== folder.root) rmdirSync(dirname(record.socket));
  } catch {
    // What is left behind is an empty folder or a dead socket; neither is in anybody's way.
  }
}

export function describeHolder(record: HostRecord | null): string {
  if (record === null) return 'another process, which has not said who it is';
  return `process ${record.pid} since ${new Date(record.since).toISOString()}`;
}
