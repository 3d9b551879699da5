import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCrashPoint } from '../../runtime/crash/index.ts';
import { openEngine, type Engine, type Release, type Supervisor } from '../../runtime/engine/index.ts';
import { bindingsOf, openReleases } from '../../runtime/release/index.ts';
import { openLedger, type OpenLedger } from '../../runtime/store/index.ts';
import { openSupervisor } from '../../runtime/supervisor/index.ts';

const built = (name: string): string => fileURLToPath(new URL(`../../out/main/${name}`, import.meta.url));

/** Ledger, engine and real or given processes on a folder of their own, with nobody to ask for permission. */
export interface BenchLab {
  readonly folder: string;
  readonly ledger: OpenLedger;
  readonly engine: Engine;
  start(steps: number, options?: { crash?: string; recovery?: 'off' | 'immediate' }): Promise<string>;
  close(): Promise<void>;
}

export async function openBenchLab(given: Supervisor | null): Promise<BenchLab> {
  const folder = mkdtempSync(join(process.env['BENCH_FOLDER'] ?? process.cwd(), '.bench-'));
  const runsFolder = join(folder, 'runs');
  mkdirSync(runsFolder);
  const ledger = await openLedger({ file: join(folder, 'ledger.sqlite'), writerThread: built('writer-thread.js') });
  const opened = given === null ? await openSupervisor({ sdk: built('sdk.mjs') }) : null;
  const releases = openReleases({ folder: join(folder, 'releases') });
  const none = (): never => {
    throw new Error('the bench has no services');
  };
  const engine = openEngine({
    ledger,
    supervisor: opened ?? (given as Supervisor),
    releases,
    platform: { connections: () => [], perform: none, release: () => Promise.resolve() },
    services: { baseUrl: none, holdNext: none },
    admission: { decide: () => ({ granted: true }) },
    clock: { now: () => Date.now() },
    newId: randomUUID,
    runsFolder,
    sdk: built('sdk.mjs'),
    bindings: ({ hash, manifest }, input) =>
      bindingsOf({ release: hash, input, variables: manifest.variables, sdkPath: built('sdk.mjs'), engine: 'bench' }),
    draftChanges: () => Promise.resolve([]),
  });
  const release: Release = await releases.publish(fileURLToPath(new URL('./relays/steps', import.meta.url)));
  return {
    folder,
    ledger,
    engine,
    async start(steps, { crash, recovery = 'off' } = {}) {
      const run = await engine.start({
        release,
        draftFolder: null,
        input: JSON.stringify({ steps }),
        id: null,
        crashPlan: crash === undefined ? [] : [parseCrashPoint(crash)],
        recovery,
        caller: 'bench',
      });
      return run.id;
    },
    async close() {
      await engine.close();
      await opened?.close();
      await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
}
