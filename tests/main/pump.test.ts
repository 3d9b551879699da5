import { describe, expect, it, vi } from 'vitest';
import { openPump } from '../../main/feeds/pump.ts';
import { OperationRate } from '../../main/feeds/operation-rate.ts';

const nothing = (): void => undefined;
const failing = (error: unknown): void => {
  throw error;
};

describe('a pump', () => {
  it('works once for all wakes of a turn, and once more for those that come meanwhile', async () => {
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const pump = openPump({
      everyMs: 0,
      work: () => turns[begun++]?.promise ?? Promise.resolve(),
      release: nothing,
      fail: failing,
    });
    pump.wake();
    pump.wake();
    await vi.waitFor(() => expect(begun).toBe(1));
    for (let wake = 0; wake < 5; wake += 1) pump.wake();
    turns[0]?.resolve();
    await vi.waitFor(() => expect(begun).toBe(2));
    turns[1]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(2);
    pump.wake();
    await vi.waitFor(() => expect(begun).toBe(3));
  });

  it('begins at once, and again not before its time', async () => {
    vi.useFakeTimers();
    try {
      let begun = 0;
      const pump = openPump({
        everyMs: 100,
        work: () => Promise.resolve(void (begun += 1)),
        release: nothing,
        fail: failing,
      });
      pump.wake();
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toBe(1);
      for (let ms = 0; ms < 1000; ms += 1) {
        pump.wake();
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(begun).toBe(11);
      pump.stop();
      pump.wake();
      await vi.advanceTimersByTimeAsync(1000);
      expect(begun).toBe(11);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('releases what it holds once, when stopped or when its work failed, and says why only then', async () => {
    const said: string[] = [];
    const parts = { everyMs: 0, release: () => void said.push('released'), fail: (e: unknown) => said.push(String(e)) };
    const broken = openPump({ ...parts, work: () => Promise.reject(new Error('no disk')) });
    broken.wake();
    await vi.waitFor(() => expect(said).toEqual(['released', 'Error: no disk']));
    broken.stop();
    expect(said).toHaveLength(2);
    const late = Promise.withResolvers<void>();
    const stopped = openPump({ ...parts, work: () => late.promise });
    stopped.wake();
    await Promise.resolve();
    stopped.stop();
    late.reject(new Error('too late to matter'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(said.slice(2)).toEqual(['released']);
  });
});

describe('the rate of operations', () => {
  it('is taken over the last two seconds and falls to nothing', () => {
    const rate = new OperationRate();
    for (let ms = 0; ms < 2000; ms += 10) rate.count(1_000_000 + ms);
    expect(rate.perSecond(1_001_999)).toBe(100);
    expect(rate.perSecond(1_003_000)).toBeGreaterThan(30);
    expect(rate.perSecond(1_003_000)).toBeLessThan(60);
    expect(rate.perSecond(1_004_200)).toBe(0);
  });

  it('bears a clock that is set back', () => {
    const rate = new OperationRate();
    rate.count(1_000_000);
    rate.count(900_000);
    expect(rate.perSecond(900_000)).toBe(1);
  });
});
