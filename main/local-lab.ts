import { randomUUID } from 'node:crypto';
import { declaredResources, liveAdmission } from '../runtime/admission/index.ts';
import { localClient, type ClientService, type Feeds } from '../runtime/contract/index.ts';
import { openEngine, type EngineParts } from '../runtime/engine/index.ts';
import { openPlatform, openVault, plainBox, type SecretBox } from '../runtime/platform/index.ts';
import { bindingsOf, checkInput, compileSchema, openReleases } from '../runtime/release/index.ts';
import { openLedger } from '../runtime/store/index.ts';
import { openSupervisor } from '../runtime/supervisor/index.ts';
import { openServiceDesk } from '../scenarios/index.ts';
import { builtProgram, nameUnpackedCompiler } from './built-program.ts';
import { crashHandlers } from './crash-handlers.ts';
import type { DataFolder } from './data-folder.ts';
import { checkLab } from './doctor.ts';
import { labFeeds } from './feeds/lab-feeds.ts';
import { graphHandlers } from './graph-handlers.ts';
import { labHandlers } from './lab-handlers.ts';
import { openMcp } from './mcp-handlers.ts';
import { infoHandlers, type HostKind } from './lab-info.ts';
import { openPermissions } from './permissions.ts';
import { relayHandlers } from './relay-handlers.ts';
import { releaseHandlers } from './release-handlers.ts';
import { openScenarios } from './scenario-handlers.ts';
import { setBrokenSettingsAside } from './settings.ts';
import { followVault, vaultHandlers } from './vault-handlers.ts';

/** The whole runtime on one data folder, in this process. */
export interface LocalLab extends Required<ClientService> {
  /** Runs that have a living process here. */
  activeRuns(): number;
  /** Resolves when those runs are at rest. */
  runsAtRest(): Promise<void>;
  /** Ends live runs as interrupted, and everything that was opened. */
  close(): Promise<void>;
}

/**
 * Opens the lab and ends what a dead host left behind. The caller holds the folder's lock. This is the one place where
 * the parts of the runtime meet; none of them knows another. `box` is how this host keeps secrets.
 */
export async function openLocalLab(folder: DataFolder, kind: HostKind, box: SecretBox = plainBox()): Promise<LocalLab> {
  const closing: (() => Promise<void>)[] = [];
  /** The last opened is closed first; what fails to close does not keep the others open. */
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const one of closing.splice(0).reverse()) await one().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    nameUnpackedCompiler();
    setBrokenSettingsAside(folder);
    const clock = { now: () => Date.now() };
    const vault = await openVault({ file: folder.vault, box, clock });
    const ledger = await openLedger({ file: folder.ledger, writerThread: builtProgram('writer-thread.js') });
    closing.push(() => ledger.close());
    const sdk = builtProgram('sdk.mjs');
    const supervisor = await openSupervisor({
      sdk,
      node: {
        execPath: process.execPath,
        env: 'electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {},
      },
    });
    closing.push(() => supervisor.close());
    const desk = openServiceDesk({
      scripts: {
        'order-service': builtProgram('services/order-service.js'),
        'audit-log': builtProgram('services/audit-log.js'),
        inventory: builtProgram('services/inventory.js'),
      },
      folder: folder.services,
      node: process.execPath,
    });
    closing.push(() => desk.close());
    const platform = openPlatform({
      builtInServers: desk.builtInServers(),
      compileSchema,
      guardGroup: (leader) => supervisor.guardGroup(leader),
      resolveSecret: (name) => vault.resolve(name),
    });
    closing.push(() => platform.close());
    const releases = openReleases({ folder: folder.releases });
    const parts: EngineParts = {
      ledger,
      supervisor,
      releases,
      platform,
      services: desk,
      vault,
      admission: liveAdmission((caller, resource) => ledger.isGranted(caller, resource)),
      clock,
      newId: randomUUID,
      endHost: () => process.kill(process.pid, 'SIGKILL'),
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
    const permissions = openPermissions(ledger, clock);
    const relays = relayHandlers({ folder, releases, ledger, changed: () => mcp.relaysChanged() });
    const mcp = openMcp({ platform, releases, relays: () => relays['relay/list']({}) });
    closing.push(() => mcp.close());
    const handlers = {
      ...labHandlers({
        ledger,
        engine,
        permissions,
        folder,
        publish: (path) => releases.publish(path),
        readRelease: (hash) => releases.read(hash),
        checkInput,
        declaredResources,
      }),
      ...graphHandlers(ledger),
      ...crashHandlers,
      ...relays,
      ...mcp.handlers,
      ...vaultHandlers({
        vault,
        relays: () => relays['relay/list']({}),
        isGranted: (caller, resource) => ledger.isGranted(caller, resource),
      }),
      ...releaseHandlers(releases),
      ...infoHandlers(kind, folder, { ledger, clock }),
    };
    const feeds: Partial<Feeds> = labFeeds({
      ...{ ledger, supervisor, folder, clock, permissions, vault: followVault(vault) },
      services: () => desk.states(),
    });
    const playing = openScenarios({
      client: localClient({ handlers, feeds }),
      desk,
      folder,
      clock,
      isAlive: (identity) => supervisor.isAlive(identity),
    });
    closing.push(() => playing.close());
    return {
      handlers: { ...handlers, ...playing.handlers, doctor: () => checkLab({ folder, ledger, supervisor, vault }) },
      feeds: { ...feeds, ...mcp.feeds, ...playing.feeds },
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
