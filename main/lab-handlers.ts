import type { Gives, Handlers, Manifest, Run } from '../runtime/contract/index.ts';
import { LabError, type Resource } from '../runtime/core/index.ts';
import { parseCrashPoint } from '../runtime/crash/index.ts';
import type { Engine, Release } from '../runtime/engine/index.ts';
import type { OpenLedger } from '../runtime/store/index.ts';
import type { DataFolder } from './data-folder.ts';
import { localCaller, type Permissions } from './permissions.ts';
import { readingHandlers, showRun, type ReadingCall } from './reading-handlers.ts';

export interface HandlerParts {
  readonly ledger: OpenLedger;
  readonly engine: Engine;
  readonly permissions: Permissions;
  readonly folder: DataFolder;
  publish(folder: string): Promise<Release>;
  /** Throws when the input is not one for this relay. */
  checkInput(manifest: Manifest, text: string): Promise<unknown>;
  declaredResources(manifest: Manifest): Resource[];
  readRelease(hash: string): Promise<Release>;
}

type RunningCall =
  | 'run/start'
  | 'run/settled'
  | 'run/recover'
  | 'run/cancel'
  | 'run/kill'
  | 'run/fork'
  | 'run/reconcile'
  | 'run/arm'
  | 'run/disarm'
  | 'run/retry-now'
  | 'permission/set';

/** The client API on an engine and its ledger. Scenarios and the doctor are added by the composition root. */
export function labHandlers(parts: HandlerParts): Pick<Handlers, ReadingCall | RunningCall> {
  const { ledger, engine, permissions } = parts;

  return {
    ...readingHandlers(ledger, parts.folder),
    async 'run/start'({ folder, input, id, crashPlan, recovery }) {
      const plan = crashPlan.map(parseCrashPoint);
      const release = await parts.publish(folder);
      await parts.checkInput(release.manifest, input);
      const resources = parts.declaredResources(release.manifest);
      await permissions.set(resources, { granted: true, by: `start of ${folder}`, onlyIfAbsent: true });
      return engine.start({ release, draftFolder: folder, input, id, crashPlan: plan, recovery, caller: localCaller });
    },
    async 'run/settled'({ run }) {
      await engine.settled(run);
      return showRun(ledger, run);
    },
    async 'run/recover'({ run, revision, crashPlan, recovery }) {
      return engine.recover(run, revision, { crashPlan: crashPlan.map(parseCrashPoint), recovery });
    },
    'run/cancel': ({ run, revision, graceMs }) => engine.cancel(run, revision, graceMs),
    'run/kill': ({ run, revision }) => engine.kill(run, revision),
    async 'run/fork'({ crashPlan, ...order }) {
      if (order.input !== null) await parts.checkInput((await releaseOf(order.run)).manifest, order.input);
      return engine.fork({ ...order, crashPlan: crashPlan.map(parseCrashPoint) });
    },
    async 'run/reconcile'({ crashPlan, ...order }) {
      return engine.reconcile({ ...order, crashPlan: crashPlan.map(parseCrashPoint) });
    },
    async 'run/arm'({ run, point }) {
      return engine.living(run).arm(parseCrashPoint(point));
    },
    async 'run/disarm'({ run, point }) {
      return engine.living(run).disarm(parseCrashPoint(point));
    },
    async 'run/retry-now'({ run, operation }) {
      await engine.living(run).retryNow(operation);
      return null;
    },
    async 'permission/set'({ resource, granted, by }): Promise<Gives<'permission/set'>> {
      await permissions.set([resource as Resource], { granted, by, onlyIfAbsent: false });
      const set = permissions.find(resource);
      if (set === null) throw new LabError('ledger-failed', `the permission on ${resource} was not kept`);
      return set;
    },
  };

  function releaseOf(id: string): Promise<Release> {
    const run: Run | null = ledger.run(id);
    if (run === null) throw new LabError('not-found', `there is no run ${id}`, 'List them with: recovery-lab run list');
    return parts.readRelease(run.release);
  }
}
