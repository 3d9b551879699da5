import { describe, expect, it } from 'vitest';
import { fromHash, toHash } from '../../renderer/store/hash.ts';
import type { Place } from '../../renderer/store/view-store.ts';

const places: readonly Place[] = [
  { kind: 'welcome' },
  { kind: 'scenario', name: 'crash-after-checkpoint' },
  { kind: 'scenario', name: 'poison', run: 'a/b #1' },
  { kind: 'relay', folder: '/home/me/my relay?/50%' },
  { kind: 'service', name: 'order-service' },
  { kind: 'vault' },
  { kind: 'run', run: '8f2c' },
];

describe('the address of a place', () => {
  it.each(places)('leads back to $kind', (place) => {
    expect(fromHash(toHash({ place, tab: null }))).toEqual({ place, tab: null });
  });

  it('holds the tab where a run is shown, unless it is the first', () => {
    expect(toHash({ place: { kind: 'run', run: 'r' }, tab: 'ledgers' })).toBe('#/run/r?tab=ledgers');
    expect(toHash({ place: { kind: 'run', run: 'r' }, tab: 'timeline' })).toBe('#/run/r');
    expect(toHash({ place: { kind: 'service', name: 's' }, tab: 'ledgers' })).toBe('#/service/s');
    expect(fromHash('#/run/r?tab=ledgers')).toEqual({ place: { kind: 'run', run: 'r' }, tab: 'ledgers' });
  });

  it.each(['', '#', '#top', '#/run', '#/nowhere/x', '#/run/%E0%A4%A'])(
    'is none for %j, or one that can be shown',
    (hash) => {
      const address = fromHash(hash);
      if (hash.includes('%')) expect(address?.place).toEqual({ kind: 'run', run: '%E0%A4%A' });
      else expect(address).toBeNull();
    },
  );

  it('passes over a tab that does not exist', () => {
    expect(fromHash('#/run/r?tab=other')?.tab).toBeNull();
  });
});
