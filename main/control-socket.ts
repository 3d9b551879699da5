import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clientFrameBytes,
  connectClient,
  serveClient,
  type ClientService,
  type LabClient,
} from '../runtime/contract/index.ts';
import { LabError } from '../runtime/core/index.ts';
import type { DataFolder } from './data-folder.ts';
import { framePort } from './frame-socket.ts';

/** Longest path of a Unix socket that every system takes. */
const socketPathBytes = 100;

export interface ControlServer {
  readonly connections: number;
  /** Calls back each time that the last connection ended. */
  onIdle(listener: () => void): void;
  /** Takes no new connection; those that are open go on. */
  stopListening(): void;
  /** Ends every connection once what was sent is out. */
  close(): void;
}

/** Where the socket of a data folder stands: inside it, or in a private folder when that path is too long. */
export function placeSocket(folder: DataFolder): string {
  const inside = join(folder.root, 'host.sock');
  if (Buffer.byteLength(inside) <= socketPathBytes) return inside;
  return join(mkdtempSync(join(tmpdir(), 'recovery-lab-')), 'host.sock');
}

/** Serves the client API at `path`, to processes of the same user alone. Needs the folder's lock. */
export async function serveControl(path: string, service: ClientService): Promise<ControlServer> {
  const sockets = new Set<Socket>();
  let onIdle = (): void => undefined;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) onIdle();
    });
    const bounds = { incoming: clientFrameBytes.toHost, outgoing: clientFrameBytes.fromHost };
    serveClient(framePort(socket, bounds), service);
  });
  // One that a dead host left: whoever has the lock is the only one to serve here.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const next = 'Put the data folder on a local file system that knows Unix sockets.';
      reject(new LabError('ledger-unwritable', `the control socket ${path} cannot be opened: ${error.message}`, next));
    });
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    get connections() {
      return sockets.size;
    },
    onIdle: (listener) => void (onIdle = listener),
    stopListening: () => void server.close(),
    close() {
      server.close();
      for (const socket of sockets) socket.end();
    },
  };
}

/**
 * The client of the host that serves `path`. Rejects with `process-gone` when nobody does or it has not spoken within
 * `waitMs`, and with `locked` when it speaks another protocol.
 */
export async function connectControl(path: string, waitMs: number): Promise<LabClient> {
  const socket = connect(path);
  const timer = setTimeout(() => socket.destroy(new Error(`it has not answered within ${waitMs} ms`)), waitMs);
  try {
    return await connectClient(
      framePort(socket, { incoming: clientFrameBytes.fromHost, outgoing: clientFrameBytes.toHost }),
    );
  } finally {
    clearTimeout(timer);
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof LabError && error.code === 'process-gone';
}
