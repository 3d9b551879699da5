import { describe, expect, it } from 'vitest';
import type { Run } from '../../runtime/contract/index.ts';
import { orderedRuns } from '../../renderer/side/run-order.ts';

const row = (id: string, createdAt: number, relay: string, state: Run['state']) =>
  ({ id, createdAt, relay, state }) as Run;
const runs = Object.fromEntries(
  [
    row('aa1', 10, 'order-fulfilment', 'succeeded'),
    row('bb2', 30, 'poison', 'failed'),
    row('cc3', 20, 'order-fulfilment', 'interrupted'),
    row('dd4', 30, 'slow-drain', 'running'),
  ].map((run) => [run.id, run]),
);
const ids = (state: Run['state'] | null, text: string) => orderedRuns(runs, { state, text }).map(({ id }) => id);

describe('orderedRuns', () => {
  it('puts the newest first, and those of one millisecond in a fixed order', () => {
    expect(ids(null, '')).toEqual(['dd4', 'bb2', 'cc3', 'aa1']);
  });

  it('keeps those of a state', () => {
    expect(ids('interrupted', '')).toEqual(['cc3']);
  });

  it('finds part of an id or of a relay’s name, however it is written', () => {
    expect(ids(null, ' BB ')).toEqual(['bb2']);
    expect(ids(null, 'Order')).toEqual(['cc3', 'aa1']);
    expect(ids('succeeded', 'order')).toEqual(['aa1']);
  });
});
