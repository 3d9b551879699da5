import { describe, expect, it } from 'vitest';
import { followLedger } from '../../main/feeds/event-follow.ts';
import type { LabEvent } from '../../runtime/contract/index.ts';

function event(sequence: number, run = 'r'): LabEvent {
  return { run, sequence, at: 0, type: 'note', attempt: null, operation: null, data: null };
}

describe('followLedger', () => {
  it('gives what is there and what comes, each once and in order, however the commits fall', async () => {
    const kept = Array.from({ length: 450 }, (_, index) => event(index + 1));
    const listeners = new Set<(event: LabEvent) => void>();
    const commit = (one: LabEvent): void => {
      kept.push(one);
      for (const listener of listeners) listener(one);
    };
    const follow = followLedger({
      events: (_run, { after, limit }) => kept.filter(({ sequence }) => sequence > after).slice(0, limit),
      onEvent(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const seen: number[] = [];
    const complete = Promise.withResolvers<void>();
    const take = async (page: readonly LabEvent[]): Promise<void> => {
      for (const { sequence } of page) {
        seen.push(sequence);
        // Some come while a page is being handed over, some while the listener is waited for.
        if (sequence % 100 === 0 && kept.length < 460) commit(event(kept.length + 1));
        await Promise.resolve();
        if (sequence === 454 && kept.length === 454) complete.resolve();
      }
    };
    const stop = follow({ run: 'r', after: 10 }, { give: take, fail: complete.reject });
    await complete.promise;
    stop();
    expect(listeners.size).toBe(0);
    expect(seen).toEqual(Array.from({ length: 444 }, (_, index) => index + 11));
  });
});
