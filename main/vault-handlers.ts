import type { Feeds, Handlers, RelayRow, VaultState } from '../runtime/contract/index.ts';
import { LabError, type Resource } from '../runtime/core/index.ts';
import type { Vault } from '../runtime/platform/index.ts';
import { openPump } from './feeds/pump.ts';
import { localCaller } from './permissions.ts';

interface VaultParts {
  readonly vault: Vault;
  relays(this: void): Promise<readonly RelayRow[]>;
  isGranted(this: void, caller: string, resource: Resource): boolean | null;
}

type VaultCall = 'vault/list' | 'vault/set' | 'vault/remove';

/** Calls on the vault. A value comes in and never goes out. */
export function vaultHandlers({ vault, relays, isGranted }: VaultParts): Pick<Handlers, VaultCall> {
  return {
    async 'vault/list'() {
      const asked = (await relays()).flatMap(({ name: relay, manifest }) =>
        (manifest?.secrets ?? []).map((name) => ({
          ...{ name, relay },
          granted: isGranted(localCaller, `secret:${relay}/${name}`),
        })),
      );
      return { ...stateOf(vault), asked };
    },
    async 'vault/set'({ name, value }) {
      await vault.set(name, value);
      const set = vault.list().find((one) => one.name === name);
      if (set === undefined) throw new LabError('internal', `the secret ${name} was not kept`);
      return set;
    },
    async 'vault/remove'({ name }) {
      await vault.remove(name);
      return null;
    },
  };
}

/** Pushes what the vault has, now and after each change. */
export function followVault(vault: Vault): Feeds['lab/vault'] {
  return (_nothing, outlet) => {
    const pump = openPump({
      everyMs: 0,
      work: async () => outlet.give(stateOf(vault)),
      release: () => stop(),
      fail: (error) => outlet.fail(error),
    });
    const stop = vault.known.onChange(() => pump.wake());
    pump.wake();
    return pump.stop;
  };
}

function stateOf(vault: Vault): VaultState {
  return { keeping: vault.keeping, words: vault.words, secrets: vault.list() };
}
