import type { Feeds, Permission } from '../runtime/contract/index.ts';
import type { Clock, LedgerWrite, Resource } from '../runtime/core/index.ts';
import type { OpenLedger } from '../runtime/store/index.ts';
import { openPump } from './feeds/pump.ts';

/** Who starts runs from this host. Other callers come with the endpoint. */
export const localCaller = 'local';

export interface Permissions {
  /** Resolves when they are durable. `onlyIfAbsent` leaves those alone that somebody set before. */
  set(
    resources: readonly Resource[],
    given: { readonly granted: boolean; readonly by: string; readonly onlyIfAbsent: boolean },
  ): Promise<void>;
  find(resource: string): Permission | null;
  readonly follow: Feeds['lab/permissions'];
}

/** The local caller's permissions. All of the ledger's are set here, so that followers miss none. */
export function openPermissions(ledger: Pick<OpenLedger, 'commit' | 'permissions'>, clock: Clock): Permissions {
  const followers = new Set<() => void>();
  return {
    async set(resources, given) {
      const at = clock.now();
      const writeOf = (resource: Resource): LedgerWrite => ({
        tag: 'permission/set',
        at,
        caller: localCaller,
        resource,
        ...given,
      });
      await ledger.commit(resources.map(writeOf));
      for (const wake of followers) wake();
    },
    find: (resource) =>
      ledger.permissions().find((one) => one.resource === resource && one.caller === localCaller) ?? null,
    follow(_nothing, outlet) {
      const pump = openPump({
        everyMs: 0,
        work: async () => outlet.give(ledger.permissions()),
        release: () => void followers.delete(pump.wake),
        fail: (error) => outlet.fail(error),
      });
      followers.add(pump.wake);
      pump.wake();
      return pump.stop;
    },
  };
}
