import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBenchLab, type BenchLab } from './bench-lab.ts';
import { fakeChildren } from './fake-children.ts';
import { bareProcess, flushAndRoundTripMs, rowMs } from './floors.ts';
import { median, show, type Figure } from './measurement.ts';
import { pageFigures } from './page-figures.ts';

/** `npm run bench [-- NAME…]`: whole runs against floors measured in the same run. Never part of the tests. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);

async function repeat<Value>(once: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await once());
  return values;
}

async function bareSpawnMs(): Promise<number> {
  const child = await bareProcess();
  await child.end();
  return child.spawnMs;
}

async function withLab<Value>(
  given: Parameters<typeof openBenchLab>[0],
  use: (lab: BenchLab) => Promise<Value>,
): Promise<Value> {
  const lab = await openBenchLab(given);
  try {
    return await use(lab);
  } finally {
    await lab.close();
  }
}

function resultMs(lab: BenchLab, run: string): number {
  const result = lab.ledger.run(run)?.result as { ms: number } | null | undefined;
  if (result == null) throw new Error(`run ${run} has no result: ${JSON.stringify(lab.ledger.run(run))}`);
  return result.ms;
}

async function operationsPerSecond(lab: BenchLab, runs: number, steps: number): Promise<number> {
  const from = performance.now();
  const ids = await Promise.all(Array.from({ length: runs }, () => lab.startSteps(steps)));
  await Promise.all(ids.map((id) => lab.engine.settled(id)));
  for (const id of ids) if (lab.ledger.run(id)?.state !== 'succeeded') throw new Error(`run ${id} did not succeed`);
  return (runs * steps * 1000) / (performance.now() - from);
}

/** From the first step of the first process to the last step of the last: what living processes do together. */
async function livingOperationsPerSecond(lab: BenchLab, runs: number, steps: number): Promise<number> {
  const ids = await Promise.all(Array.from({ length: runs }, () => lab.startSteps(steps)));
  await Promise.all(ids.map((id) => lab.engine.settled(id)));
  const slowest = Math.max(...ids.map((id) => resultMs(lab, id)));
  return (runs * steps * 1000) / slowest;
}

const measures: Record<string, () => Promise<Figure>> = {
  sequential: () =>
    withLab(null, async (lab) => {
      const pairs = await repeat(async () => {
        const floor = await flushAndRoundTripMs(lab.folder, 200);
        const run = await lab.startSteps(200);
        await lab.engine.settled(run);
        return { floor, row: rowMs(lab.folder, 200), step: resultMs(lab, run) / 200 };
      });
      const ratio = median(pairs.map(({ step, floor }) => step / floor));
      return {
        name: '200 sequential steps of a real process',
        measured: `${median(pairs.map(({ step }) => step)).toFixed(3)} ms a step = ${ratio.toFixed(2)} × the floor`,
        against: `floor ${median(pairs.map(({ floor }) => floor)).toFixed(3)} ms: one fdatasync and one round trip; one row a transaction ${median(pairs.map(({ row }) => row)).toFixed(3)} ms`,
        target: '≤ 1.60 ×, goal 1.25 ×',
        met: ratio <= 1.6,
      };
    }),
  'group-commit': async () => {
    let begun = 0;
    const children = fakeChildren(100, (at) => (begun = at));
    return withLab(children, async (lab) => {
      const row = rowMs(lab.folder, 300);
      const rates = await repeat(async () => {
        const from = performance.now();
        let [left, ended] = [100, 0];
        const stop = lab.ledger.onEvent((event) => {
          const moved = event.type === 'run.moved' ? (event.data as { to?: string }) : {};
          if (moved.to === 'succeeded' && --left === 0) ended = performance.now();
        });
        await operationsPerSecond(lab, 100, 10);
        stop();
        return { steps: 1_000_000 / (ended - begun), whole: 1_000_000 / (performance.now() - from) };
      });
      const rate = median(rates.map(({ steps }) => steps));
      return {
        name: '100 runs of 10 steps, in-process fake children',
        measured: `${rate.toFixed(0)} operations/s from the first intent to the last result`,
        against: `one row a transaction would be ${(1000 / row).toFixed(0)}/s; with starting the runs and writing their files ${median(rates.map(({ whole }) => whole)).toFixed(0)}/s`,
        target: '≥ 20,000/s',
        met: rate >= 20_000,
      };
    });
  },
  living: () =>
    withLab(null, async (lab) => {
      const rate = median(await repeat(() => livingOperationsPerSecond(lab, 20, 500)));
      return {
        name: '20 living processes of 500 steps',
        measured: `${rate.toFixed(0)} operations/s together`,
        against: `one row a transaction would be ${(1000 / rowMs(lab.folder, 300)).toFixed(0)}/s`,
        target: '≥ 8,000/s',
        met: rate >= 8000,
      };
    }),
  fresh: () =>
    withLab(null, async (lab) => {
      const rate = median(await repeat(() => operationsPerSecond(lab, 100, 10)));
      const spawnMs = await bareSpawnMs();
      return {
        name: '100 fresh processes of 10 steps',
        measured: `${rate.toFixed(0)} operations/s, spawning included`,
        against: `one bare spawn ${spawnMs.toFixed(0)} ms`,
        target: 'the figure',
        met: true,
      };
    }),
  recovery: () =>
    withLab(null, async (lab) => {
      const pairs = await repeat(async () => {
        const spawnMs = await bareSpawnMs();
        const ended = Promise.withResolvers<number>();
        let killed = 0;
        const stop = lab.ledger.onEvent((event) => {
          if (event.type === 'crash-point.fired') killed = performance.now();
          const moved = event.type === 'run.moved' ? (event.data as { to?: string }) : {};
          if (moved.to === 'succeeded') ended.resolve(performance.now());
        });
        const run = await lab.startSteps(20, { crash: ['step#10@after-checkpoint'], recovery: 'immediate' });
        const took = (await ended.promise) - killed;
        stop();
        await lab.engine.settled(run);
        return { took, spawnMs };
      });
      const ratio = median(pairs.map(({ took, spawnMs }) => took / spawnMs));
      return {
        name: 'kill to finished recovery of a 20-step run',
        measured: `${median(pairs.map(({ took }) => took)).toFixed(1)} ms = ${ratio.toFixed(2)} × a bare spawn`,
        against: `bare spawn ${median(pairs.map(({ spawnMs }) => spawnMs)).toFixed(1)} ms`,
        target: '≤ 1.50 ×',
        met: ratio <= 1.5,
      };
    }),
  idle: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'idle-host-'));
    const relay = fileURLToPath(new URL('./relays/waits', import.meta.url));
    const command = fileURLToPath(new URL('../../out/main/recovery-lab.js', import.meta.url));
    const host = spawn(process.execPath, [command, 'run', 'start', relay, '--data-dir', folder, '--follow', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve) => {
      let seen = '';
      host.stdout.on('data', (part: Buffer) => {
        seen += part.toString();
        if (seen.includes('waiting')) resolve();
      });
    });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const status = readFileSync(`/proc/${host.pid ?? 0}/status`, 'utf8');
    host.kill('SIGTERM');
    await new Promise((resolve) => host.once('exit', resolve));
    rmSync(folder, { recursive: true });
    const mib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    return {
      name: 'an idle host',
      measured: `${mib.toFixed(0)} MiB resident`,
      against: 'the built command, holding one run that waits for a message',
      target: '< 120 MiB',
      met: mib < 120,
    };
  },
};

const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries({ ...measures, ...pageFigures })) {
  if (wanted.length === 0 || wanted.includes(name)) show(await measure());
}
