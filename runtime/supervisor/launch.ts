import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Duplex, type Readable } from 'node:stream';
import { LabError, type ProcessIdentity } from '../core/index.ts';
import { readProcess } from './process-facts.ts';
import { sandboxEnvironment, sandboxFlags, type NodeProgram } from './sandbox.ts';

export interface LaunchOrder {
  readonly node: NodeProgram;
  /** The module that the process starts with. */
  readonly entry: string;
  /** The process's own folder. */
  readonly workDir: string;
  readonly readable: readonly string[];
}

export interface Launched {
  readonly child: ChildProcess;
  readonly identity: ProcessIdentity;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The host's end of file descriptor 3. */
  readonly socket: Duplex;
}

/**
 * Starts Node behind the walls, leading a session and a group of its own. Synchronous when it succeeds, so that the
 * caller can register the process before anything else happens; the reason of a failure arrives later, and rejects
 * with `process-gone`.
 */
export function launch(order: LaunchOrder): Launched | Promise<never> {
  const flags = sandboxFlags({ readable: [order.entry, ...order.readable], writable: order.workDir });
  const child = spawn(order.node.execPath, [...flags, order.entry], {
    detached: true,
    cwd: order.workDir,
    env: sandboxEnvironment(order.workDir, order.node),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined) return couldNotStart(child);
  const socket = child.stdio[3];
  const facts = readProcess(pid);
  if (facts === null || facts.group !== pid || stdout === null || stderr === null || !(socket instanceof Duplex)) {
    child.kill('SIGKILL');
    return Promise.reject(gone(`process ${pid} does not lead a group of its own, so it could not be ended safely`));
  }
  return { child, identity: { pid, startTime: facts.startTime }, stdout, stderr, socket };
}

async function couldNotStart(child: ChildProcess): Promise<never> {
  const [reason] = (await once(child, 'error')) as [Error];
  throw gone(reason.message);
}

function gone(detail: string): LabError {
  return new LabError(
    'process-gone',
    detail,
    'Check that this Node can be started and that the account may start more processes (ulimit -u).',
    { cause: { kind: 'could-not-start', detail } },
  );
}
