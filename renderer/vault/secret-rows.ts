import type { Manifest, Permission, VaultState } from '../../runtime/contract/index.ts';

/** A relay that asks for a secret, and whether it may have it; null while nobody has decided. */
interface Asker {
  readonly relay: string;
  readonly resource: string;
  readonly granted: boolean | null;
}

export interface SecretRow {
  readonly name: string;
  /** What the vault has of it, null for one that is asked for and not set. */
  readonly set: VaultState['secrets'][number] | null;
  readonly askers: readonly Asker[];
}

interface AskingRelay {
  readonly name: string;
  readonly manifest: Pick<Manifest, 'secrets'> | null;
}

/** Every secret that is set or that a relay asks for, in the order of the names. */
export function secretRows(
  secrets: VaultState['secrets'],
  relays: readonly AskingRelay[],
  permissions: readonly Pick<Permission, 'resource' | 'granted'>[],
): SecretRow[] {
  const asked = relays.flatMap(({ name: relay, manifest }) =>
    (manifest?.secrets ?? []).map((name) => {
      const resource = `secret:${relay}/${name}`;
      return { name, relay, resource, granted: permissions.find((one) => one.resource === resource)?.granted ?? null };
    }),
  );
  const names = [...new Set([...secrets, ...asked].map(({ name }) => name))].sort();
  return names.map((name) => ({
    name,
    set: secrets.find((one) => one.name === name) ?? null,
    // Two folders may hold relays of one name: a permission is by name, so it is one asker.
    askers: [...new Map(asked.filter((one) => one.name === name).map((one) => [one.relay, one])).values()].map(
      ({ relay, resource, granted }) => ({ relay, resource, granted }),
    ),
  }));
}
