import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LabError } from '../../runtime/core/index.ts';

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** False once the process has exited. */
  readonly isAlive: boolean;
  /** Closes its stdin, which ends it, kills it when it has not ended after two seconds, and waits until it is gone. */
  stop(): Promise<void>;
}

const readyMs = 20_000;
const graceMs = 2000;
const shownCharacters = 1000;

/**
 * Starts a service and waits until it listens. It leads a group of its own, so that Ctrl-C in the host's terminal
 * leaves it to the host to end it; it ends by itself when the host is gone. Throws `service-failed`.
 */
export async function startService(name: string, node: string, args: readonly string[]): Promise<ServiceProcess> {
  const child = spawn(node, [...args], {
    // `node` may be the desktop app's own program, which is Node only when told so.
    env: { PATH: process.env['PATH'] ?? '', ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  });
  // Its end says more than a write that failed.
  child.stdin.on('error', () => {});
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-shownCharacters);
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(kill);
  };
  const first = await Promise.race([
    readPort(child).then((port) => ({ port })),
    gone.then((why) => ({ why })),
    after(readyMs).then(() => ({ why: `did not listen within ${readyMs} ms` })),
  ]);
  if ('why' in first) {
    await stop();
    const saying = said.trim() === '' ? '' : `; it last said: ${said.trim()}`;
    throw new LabError(
      'service-failed',
      `the service ${name} ${first.why}${saying}`,
      `Its program is ${args[0] ?? ''}.`,
    );
  }
  return {
    baseUrl: `http://127.0.0.1:${first.port}`,
    pid: child.pid ?? 0,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    stop,
  };
}

async function readPort(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the service has no stdout');
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const port = /^\{"ready":\{"port":(\d+)\}\}$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
