import { describe, expect, it } from 'vitest';
import { secretRows } from '../../renderer/vault/secret-rows.ts';

const kept = (name: string) => ({ name, changedAt: 1, kept: 'plain', problem: null }) as const;
const relay = (name: string, ...secrets: string[]) => ({ name, manifest: { secrets } });

describe('the rows of the vault', () => {
  it('are what is set and what relays ask for, each once, in the order of the names', () => {
    const rows = secretRows([kept('B')], [relay('one', 'C', 'B'), relay('two', 'B')], []);
    expect(rows.map(({ name, set, askers }) => [name, set !== null, askers.map(({ relay: by }) => by)])).toEqual([
      ['B', true, ['one', 'two']],
      ['C', false, ['one']],
    ]);
  });

  it('say of each relay whether it may have the secret, by the permission on that pair alone', () => {
    const permissions = [
      { resource: 'secret:one/B', granted: false },
      { resource: 'secret:two/B', granted: true },
      { resource: 'secret:one/C', granted: true },
    ];
    const [row] = secretRows([], [relay('one', 'B'), relay('two', 'B'), relay('three', 'B')], permissions);
    expect(row?.askers).toEqual([
      { relay: 'one', resource: 'secret:one/B', granted: false },
      { relay: 'two', resource: 'secret:two/B', granted: true },
      { relay: 'three', resource: 'secret:three/B', granted: null },
    ]);
  });

  it('count two folders of one relay once, and a relay without a manifest not at all', () => {
    const rows = secretRows([], [relay('one', 'B'), relay('one', 'B'), { name: 'broken', manifest: null }], []);
    expect(rows.map(({ askers }) => askers.length)).toEqual([1]);
  });
});
