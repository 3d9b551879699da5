import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { openSupervisor, type OpenSupervisor } from '../../runtime/supervisor/index.ts';

/**
 * Bare `node --permission` from spawn to its first frame, against the supervisor's `spawn` of the same program, in
 * turns. `node tests/bench/spawn-floor.ts [rounds] [sdk.mjs]`: with an sdk, that is what ours starts with.
 */
const rounds = Number(process.argv[2] ?? 40);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'recovery-lab-spawn-floor-')));
const program = join(folder, 'hello.mjs');
writeFileSync(
  program,
  `import { Socket } from 'node:net';
const socket = new Socket({ fd: 3, readable: true, writable: true });
socket.write(JSON.stringify({ tag: 'hello', protocol: 1, pid: process.pid, node: process.version }) + '\\n');
socket.on('end', () => process.exit()).resume();
`,
);

async function bare(): Promise<number> {
  const startedAt = performance.now();
  const reach = [`--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`];
  const child = spawn(process.execPath, ['--permission', ...reach, program], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new Error('descriptor 3 of the child is no socket');
  await new Promise((resolve) => socket.once('data', resolve));
  const took = performance.now() - startedAt;
  socket.end();
  await new Promise((resolve) => child.once('close', resolve));
  return took;
}

let attempt = 0;
async function ours(supervisor: OpenSupervisor): Promise<number> {
  attempt += 1;
  const ended = Promise.withResolvers<unknown>();
  const startedAt = performance.now();
  const spec = { run: 'bench', attempt, runDir: folder, workDir: folder, readable: [] };
  const relay = await supervisor.spawn(spec, { onFrame: () => {}, onEnd: ended.resolve });
  const took = performance.now() - startedAt;
  relay.signal('SIGKILL', { kind: 'finished' });
  await ended.promise;
  return took;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const supervisor = await openSupervisor({ sdk: process.argv[3] ?? program });
const floor: number[] = [];
const spawned: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  floor.push(await bare());
  spawned.push(await ours(supervisor));
}
await supervisor.close();
rmSync(folder, { recursive: true });
const result = { bench: 'spawn-floor', rounds, floorMs: median(floor), oursMs: median(spawned) };
// The quickest of each says what the work costs when other programs keep the machine busy.
const quickest = Math.min(...spawned) / Math.min(...floor);
console.log(JSON.stringify({ ...result, ratio: result.oursMs / result.floorMs, ratioOfQuickest: quickest }));
