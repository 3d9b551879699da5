import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** What the machine itself takes, measured in the same run as what it is compared with. Milliseconds. */

/** One row a transaction, in WAL with synchronous=FULL. */
export function rowMs(folder: string, rounds: number): number {
  const database = new Database(join(folder, `rows-${performance.now()}.sqlite`));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO rows (body) VALUES (?)');
  const body = 'x'.repeat(100);
  const from = performance.now();
  for (let n = 0; n < rounds; n += 1) insert.run(body);
  const took = (performance.now() - from) / rounds;
  database.close();
  return took;
}

const echo = `
import net from 'node:net';
const socket = new net.Socket({ fd: 3 });
socket.on('data', (data) => socket.write(data));
socket.write('{"tag":"hello"}\\n');
`;

interface BareProcess {
  /** From the call to its first frame. */
  readonly spawnMs: number;
  roundTrip(): Promise<void>;
  end(): Promise<void>;
}

/** A process with the permission model that answers each frame on the socket pair at once. */
export async function bareProcess(): Promise<BareProcess> {
  const from = performance.now();
  const child = spawn(process.execPath, ['--permission', '--input-type=module', '--eval', echo], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const socket = child.stdio[3] as Duplex;
  const answer = (): Promise<unknown> => new Promise((resolve) => socket.once('data', resolve));
  await answer();
  return {
    spawnMs: performance.now() - from,
    async roundTrip() {
      const back = answer();
      socket.write('{"tag":"ack","id":"12"}\n');
      await back;
    },
    async end() {
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

/**
 * One 4 KiB write with fdatasync and one round trip, one after the other as in a step: the two share the machine's
 * waking up, which either alone in a tight loop would not show.
 */
export async function flushAndRoundTripMs(folder: string, rounds: number): Promise<number> {
  const child = await bareProcess();
  const file = openSync(join(folder, 'flush'), 'w');
  const block = Buffer.alloc(4096, 1);
  const from = performance.now();
  for (let n = 0; n < rounds; n += 1) {
    writeSync(file, block);
    fdatasyncSync(file);
    await child.roundTrip();
  }
  const took = (performance.now() - from) / rounds;
  closeSync(file);
  await child.end();
  return took;
}
