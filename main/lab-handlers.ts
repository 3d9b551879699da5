import type { Gives, Handlers, Manifest, Run } from '../runtime/contract/index.ts';
import { LabError, type LedgerWrite, type Resource } from '../runtime/core/index.ts';
import { parseCrashPoint } from '../runtime/crash/index.ts';
import type { Clock } from '../runtime/core/index.ts';
import type { Engine, Release } from '../runtime/engine/index.ts';
import type { OpenLedger } from '../runtime/store/index.ts';
import { readingHandlers, showRun, type ReadingCall } from './reading-handlers.ts';

/** Who starts runs from this host. Other callers come with the endpoint. */
const localCaller = 'local';

export interface HandlerParts {
  readonly ledger: OpenLedger;
  readonly engine: Engine;
  readonly clock: Clock;
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
  | 'permission/set';

/** The client API on an engine and its ledger. Scenarios and the doctor are added by the composition root. */
export function labHandlers(parts: HandlerParts): Pick<Handlers, ReadingCall | RunningCall> {
  const { ledger, engine } = parts;

  async function setPermissions(
    resources: readonly Resource[],
    given: { granted: boolean; by: string; onlyIfAbsent: boolean },
  ) {
    const at = parts.clock.now();
    await ledger.commit(
      resources.map((resource): LedgerWrite => ({
        tag: 'permission/set',
        at,
        caller: localCaller,
        resource,
        ...given,
      })),
    );
  }

  return {
    ...readingHandlers(ledger),
    async 'run/start'({ folder, input, id, crashPlan, recovery }) {
      const plan = crashPlan.map(parseCrashPoint);
      const release = await parts.publish(folder);
      await parts.checkInput(release.manifest, input);
      const resources = parts.declaredResources(release.manifest);
      await setPermissions(resources, { granted: true, by: `start of ${folder}`, onlyIfAbsent: true });
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
    async 'permission/set'({ resource, granted, by }): Promise<Gives<'permission/set'>> {
      await setPermissions([resource as Resource], { granted, by, onlyIfAbsent: false });
      const set = ledger.permissions().find((one) => one.resource === resource && one.caller === localCaller);
      if (set === undefined) throw new LabError('ledger-failed', `the permission on ${resource} was not kept`);
      return set;
    },
  };

  function releaseOf(id: string): Promise<Release> {
    const run: Run | null = ledger.run(id);
    if (run === null) throw new LabError('not-found', `there is no run ${id}`, 'List them with: recovery-lab run list');
    return parts.readRelease(run.release);
  }
}
