import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { declaredResources, liveAdmission } from '../runtime/admission/index.ts';
import { localClient, type ClientService, type Feeds } from '../runtime/contract/index.ts';
import { openEngine, type EngineParts } from '../runtime/engine/index.ts';
import { openPlatform } from '../runtime/platform/index.ts';
import { bindingsOf, checkInput, compileSchema, openReleases } from '../runtime/release/index.ts';
import { openLedger } from '../runtime/store/index.ts';
import { openSupervisor } from '../runtime/supervisor/index.ts';
import { openServiceDesk } from '../scenarios/index.ts';
import type { DataFolder } from './data-folder.ts';
import { followLedger } from './event-follow.ts';
import { checkLab } from './doctor.ts';
import { labHandlers } from './lab-handlers.ts';
import { scenarioHandlers } from './scenario-handlers.ts';

/** The whole runtime on one data folder, in this process. */
export interface LocalLab extends Required<ClientService> {
  /** Runs that have a living process here. */
  activeRuns(): number;
  /** Resolves when those runs are at rest. */
  runsAtRest(): Promise<void>;
  /** Ends live runs as interrupted, and everything that was opened. */
  close(): Promise<void>;
}

/** Built programs that stand beside this one. */
const built = (name: string): string => join(import.meta.dirname, name);

/**
 * Opens the lab and ends what a dead host left behind. The caller holds the folder's lock. This is the one place where
 * the parts of the runtime meet; none of them knows another.
 */
export async function openLocalLab(folder: DataFolder): Promise<LocalLab> {
  const closing: (() => Promise<void>)[] = [];
  /** The last opened is closed first; what fails to close does not keep the others open. */
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const one of closing.splice(0).reverse()) await one().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const ledger = await openLedger({ file: folder.ledger, writerThread: built('writer-thread.js') });
    closing.push(() => ledger.close());
    const sdk = built('sdk.mjs');
    const supervisor = await openSupervisor({ sdk });
    closing.push(() => supervisor.close());
    const desk = openServiceDesk({
      scripts: {
        'order-service': built('services/order-service.js'),
        'audit-log': built('services/audit-log.js'),
        inventory: built('services/inventory.js'),
      },
      folder: join(folder.root, 'services'),
      node: process.execPath,
    });
    closing.push(() => desk.close());
    const platform = openPlatform({
      builtInServers: desk.builtInServers(),
      compileSchema,
      guardGroup: (leader) => supervisor.guardGroup(leader),
    });
    closing.push(() => platform.close());
    const releases = openReleases({ folder: folder.releases });
    const parts: EngineParts = {
      ledger,
      supervisor,
      releases,
      platform,
      services: desk,
      admission: liveAdmission((caller, resource) => ledger.isGranted(caller, resource)),
      clock: { now: () => Date.now() },
      newId: randomUUID,
      runsFolder: folder.runs,
      sdk,
      bindings: ({ hash, manifest }, input) =>
        bindingsOf({
          release: hash,
          input,
          variables: manifest.variables,
          sdkPath: sdk,
          engine: `sqlite/${ledger.settings().sqliteVersion}`,
        }),
      draftChanges: (draft, release) => releases.draftChanges(draft, release),
    };
    const claimed = new Set<string>();
    ledger.onEvent(({ type, run }) => {
      if (type === 'run.claimed') claimed.add(run);
    });
    const engine = openEngine(parts);
    closing.push(() => engine.close());
    await engine.sweep();
    const handlers = labHandlers({
      ledger,
      engine,
      clock: parts.clock,
      publish: (path) => releases.publish(path),
      readRelease: (hash) => releases.read(hash),
      checkInput,
      declaredResources,
    });
    const feeds: Partial<Feeds> = { 'run/events': followLedger(ledger) };
    const playing = scenarioHandlers({
      client: localClient({ handlers, feeds }),
      desk,
      folder,
      isAlive: (identity) => supervisor.isAlive(identity),
    });
    return {
      handlers: { ...handlers, ...playing, doctor: () => checkLab({ folder, ledger, supervisor }) },
      feeds,
      activeRuns: () => engine.active(),
      async runsAtRest() {
        await Promise.all([...claimed].map((run) => engine.settled(run)));
      },
      close,
    };
  } catch (error) {
    await close().catch(() => {
      // What kept the lab from opening says more than what this left half open.
    });
    throw error;
  }
}
