import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredResources, liveAdmission } from '../../runtime/admission/index.ts';
import type { Run } from '../../runtime/contract/index.ts';
import type { Resource } from '../../runtime/core/index.ts';
import { parseCrashPoint } from '../../runtime/crash/index.ts';
import { openEngine, type Engine, type Release, type Supervisor } from '../../runtime/engine/index.ts';
import { openPlatform, openVault, plainBox, type Vault } from '../../runtime/platform/index.ts';
import { bindingsOf, compileSchema, openReleases } from '../../runtime/release/index.ts';
import { openLedger, type OpenLedger } from '../../runtime/store/index.ts';
import { openSupervisor } from '../../runtime/supervisor/index.ts';

const built = (name: string): string => fileURLToPath(new URL(`../../out/main/${name}`, import.meta.url));

interface StartOptions {
  readonly id?: string;
  readonly crash?: readonly string[];
  readonly recovery?: 'off' | 'immediate';
}

/** Real ledger, processes, releases and platform around the engine, on a folder of their own, without services. */
export interface EngineLab {
  readonly folder: string;
  readonly ledger: OpenLedger;
  readonly engine: Engine;
  readonly vault: Vault;
  publish(folder: string): Promise<Release>;
  start(release: Release, input: unknown, options?: StartOptions): Promise<Run>;
  /** Starts and waits until the run is at rest. */
  finish(release: Release, input: unknown, options?: StartOptions): Promise<Run>;
  /** Recovers and waits until the run is at rest. */
  recover(run: string, crash?: readonly string[]): Promise<Run>;
  run(id: string): Run;
  grant(resource: Resource, granted: boolean): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openEngineLab(
  options: {
    readonly supervisor?: Supervisor;
    readonly now?: () => number;
    readonly folder?: string;
    readonly recoverMs?: number;
  } = {},
): Promise<EngineLab> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'engine-lab-'));
  const runsFolder = join(folder, 'runs');
  mkdirSync(runsFolder, { recursive: true });
  const ledger = await openLedger({ file: join(folder, 'ledger.sqlite'), writerThread: built('writer-thread.js') });
  const opened = options.supervisor === undefined ? await openSupervisor({ sdk: built('sdk.mjs') }) : null;
  const supervisor = options.supervisor ?? opened;
  if (supervisor === null) throw new Error('no supervisor');
  const platform = openPlatform({
    builtInServers: {},
    compileSchema,
    guardGroup: (leader) => opened?.guardGroup(leader) ?? (() => undefined),
  });
  const now = options.now ?? (() => Date.now());
  const vault = await openVault({ file: join(folder, 'vault.json'), box: plainBox(), clock: { now } });
  const releases = openReleases({ folder: join(folder, 'releases') });
  const noService = (): Promise<never> => Promise.reject(new Error('there are no services here'));
  const engine = openEngine({
    ledger,
    supervisor,
    releases,
    platform,
    services: { baseUrl: noService, holdNext: noService },
    vault,
    admission: liveAdmission((caller, resource) => ledger.isGranted(caller, resource)),
    clock: { now },
    newId: randomUUID,
    ...(options.recoverMs === undefined ? {} : { recoverMs: options.recoverMs }),
    endHost: () => process.kill(process.pid, 'SIGKILL'),
    runsFolder,
    sdk: built('sdk.mjs'),
    bindings: ({ hash, manifest }, input) =>
      bindingsOf({ release: hash, input, variables: manifest.variables, sdkPath: built('sdk.mjs'), engine: 'sqlite' }),
    draftChanges: (draft, release) => releases.draftChanges(draft, release),
  });
  const plan = (texts: readonly string[] = []) => texts.map((text) => parseCrashPoint(text));
  const run = (id: string): Run => {
    const found = ledger.run(id);
    if (found === null) throw new Error(`no run ${id}`);
    return found;
  };
  const close = async (): Promise<void> => {
    await engine.close();
    await platform.close();
    await opened?.close();
    await ledger.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const lab: EngineLab = {
    folder,
    ledger,
    engine,
    vault,
    run,
    async publish(relayFolder) {
      const release = await releases.publish(relayFolder);
      for (const resource of declaredResources(release.manifest)) await lab.grant(resource, true);
      return release;
    },
    start: (release, input, { id, crash, recovery = 'off' } = {}) =>
      engine.start({
        release,
        draftFolder: null,
        input: JSON.stringify(input),
        id: id ?? null,
        crashPlan: plan(crash),
        recovery,
        caller: 'local',
      }),
    async finish(release, input, startOptions) {
      const { id } = await lab.start(release, input, startOptions);
      await engine.settled(id);
      return run(id);
    },
    async recover(id, crash) {
      await engine.recover(id, run(id).revision, { crashPlan: plan(crash), recovery: null });
      await engine.settled(id);
      return run(id);
    },
    async grant(resource, granted) {
      await ledger.commit([
        { tag: 'permission/set', at: now(), caller: 'local', resource, granted, by: 'test', onlyIfAbsent: false },
      ]);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return lab;
}
