import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxEnvironment, sandboxFlags, type NodeProgram } from './sandbox.ts';
import { tryWalls, type WallAttempt, type WallTargets } from './wall-attempts.ts';

/** Whether a wall around relays' processes stands, and the evidence in one sentence. */
export interface WallReport {
  readonly wall: string;
  readonly stands: boolean;
  readonly detail: string;
}

interface ProbeAnswer {
  readonly found: readonly WallAttempt[];
  readonly environment: readonly string[];
}

const probeWithinMs = 20_000;

/** Tries each wall from inside a real process with the flags and the environment that relays get. */
export async function probeWalls(node: NodeProgram): Promise<WallReport[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'recovery-lab-walls-')));
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await once(listener, 'listening');
    const targets: WallTargets = {
      secretFile: join(folder, 'secret'),
      outsideFile: join(folder, 'made-outside'),
      runDir: join(folder, 'run'),
      hostPid: process.pid,
      port: (listener.address() as AddressInfo).port,
    };
    await writeFile(targets.secretFile, 'not for relays');
    await mkdir(targets.runDir);
    const { found, environment } = await runProbe(node, join(folder, 'probe.mjs'), targets);
    const allowed = new Set(Object.keys(sandboxEnvironment(targets.runDir, node)));
    return [...found.map(report), ownEnvironment(environment, allowed), bubblewrap()];
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runProbe(node: NodeProgram, program: string, targets: WallTargets): Promise<ProbeAnswer> {
  await writeFile(program, `await (${tryWalls.toString()})(${JSON.stringify(targets)});\n`);
  const flags = sandboxFlags({ readable: [program], writable: targets.runDir });
  const { stdout } = await promisify(execFile)(node.execPath, [...flags, program], {
    cwd: targets.runDir,
    env: sandboxEnvironment(targets.runDir, node),
    timeout: probeWithinMs,
    killSignal: 'SIGKILL',
  });
  return JSON.parse(stdout) as ProbeAnswer;
}

/** Walls that Node 24 does not have; said plainly, since a person may think they stand. */
const missing: Readonly<Record<string, string>> = {
  network: 'a relay can connect to any address: Node 24 has no wall for the network',
  'signal to the host': 'a relay can signal any process of this account, the host too: Node has no wall for signals',
};

function report({ wall, refused, detail }: WallAttempt): WallReport {
  if (refused) return { wall, stands: true, detail: `tried and refused (${detail})` };
  const meaning = detail === 'it was allowed' ? missing[wall] : undefined;
  return { wall, stands: false, detail: meaning ?? `tried and not refused: ${detail}` };
}

function ownEnvironment(seen: readonly string[], allowed: ReadonlySet<string>): WallReport {
  const more = seen.filter((name) => !allowed.has(name));
  return {
    wall: 'environment allow-list',
    stands: more.length === 0,
    detail: more.length === 0 ? `it sees only ${seen.join(', ')}` : `it also sees ${more.join(', ')}`,
  };
}

function bubblewrap(): WallReport {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'bwrap'));
  const place = places.find((path) => existsSync(path));
  return {
    wall: 'bubblewrap',
    stands: false,
    detail: place === undefined ? 'not installed; it would not be used yet' : `installed at ${place}, but not used yet`,
  };
}
