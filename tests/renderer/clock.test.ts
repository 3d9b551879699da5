import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildClock } from '../../renderer/history/clock.ts';
import { clockEdges } from '../../renderer/history/clock-edges.ts';
import { pan, reveal, stretchOf, tickLabel, ticks, zoom } from '../../renderer/history/time-window.ts';
import { recoveredRun, ToldRun } from './told-run.ts';

describe('clockEdges', () => {
  it('keeps the order of events of one millisecond', () => {
    const run = new ToldRun().attempt(1, 10).begin('0', 'a', 10).done('0', 10).begin('1', 'b', 10);
    const { moments, ofEvent } = clockEdges(run.events);
    expect(moments).toEqual([10, 10.2, 10.4, 10.6, 10.8]);
    expect([...ofEvent]).toEqual([0, 1, 2, 3, 4]);
  });
  it('never goes back, also where a later event carries an earlier time', () => {
    const run = new ToldRun().attempt(1, 10).begin('0', 'a', 15).done('0', 12).begin('1', 'b', 16);
    const { moments } = clockEdges(run.events);
    expect(moments).toEqual([10, 10.5, 15, 15.5, 16]);
  });
  it('tells work, start, waits, the relay between operations and rest apart', () => {
    const run = new ToldRun().attempt(1, 0, 5).begin('0', 'a', 10).done('0', 20).begin('1', 'nap', 30, 1, 'sleep');
    run.begin('2', 'b', 40).done('2', 50).done('1', 60).killed(70).attempt(2, 100, 5);
    expect(clockEdges(run.events).fills).toEqual([
      ...['start', 'start', 'work', 'between', 'wait', 'work', 'wait', 'between', 'rest', 'start', 'start'],
    ]);
  });
  it('takes the time between two tries as a wait, up to when the next one begins', () => {
    const run = new ToldRun().attempt(1, 0).begin('0', 'a', 10).failedTry('0', 20, 1, 1000).done('0', 1500);
    const { moments, fills } = clockEdges(run.events);
    expect(moments.slice(-3)).toEqual([20, 1020, 1500]);
    expect(fills.slice(-3)).toEqual(['wait', 'work', 'between']);
  });
});

describe('buildClock', () => {
  const edges = clockEdges(recoveredRun().events);
  it('is true to time when it is plain', () => {
    const clock = buildClock(edges, null, false);
    expect(clock.length).toBe(22_310 - 1000);
    expect(clock.placeOf(1500)).toBe(500);
    expect(clock.gaps).toEqual([]);
  });
  it('cuts the time between two attempts short when it is compact, and says how long it was', () => {
    const clock = buildClock(edges, null, true);
    expect(clock.gaps).toEqual([{ from: 1810, to: 21_810, fill: 'rest' }]);
    expect(clock.placeOf(21_810) - clock.placeOf(1810)).toBeLessThan(100);
    expect(clock.length).toBeLessThan(2500);
  });
  it('gives a width to what was too short to be seen', () => {
    const clock = buildClock(edges, null, true);
    const width = (sequence: number): number => {
      const edge = edges.ofEvent[sequence - 1] ?? 0;
      return (clock.places[edge + 1] ?? 0) - (clock.places[edge] ?? 0);
    };
    const [reused, confirm] = [width(10), width(14)];
    expect(reused).toBeGreaterThan(50);
    expect(confirm).toBeCloseTo(reused);
    expect(width(5)).toBe(599.5);
  });
  it('goes on to now while an attempt lives, and a wait that is over is no longer than it was meant to be', () => {
    const run = new ToldRun().attempt(1, 0).begin('0', 'a', 10).failedTry('0', 20, 1, 100);
    const live = clockEdges(run.events);
    expect(buildClock(live, 60, false).length).toBe(60);
    expect(buildClock(live, 500, true).gaps).toEqual([{ from: 20, to: 120, fill: 'wait' }]);
  });
  it('maps back to the moment it came from, however it was cut', () => {
    const clock = buildClock(edges, null, true);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 30_000, noNaN: true }), (moment) => {
        expect(clock.momentAt(clock.placeOf(moment))).toBeCloseTo(moment, 3);
      }),
    );
  });
});

describe('the window on a clock', () => {
  const clock = buildClock(clockEdges(recoveredRun().events), null, false);
  it('keeps the moment under the pointer where it is', () => {
    const before = stretchOf(clock, null);
    const part = 0.3;
    const moment = clock.momentAt(before.from + part * (before.to - before.from));
    const after = stretchOf(clock, zoom(clock, null, 4, part));
    expect((clock.placeOf(moment) - after.from) / (after.to - after.from)).toBeCloseTo(part);
  });
  it('shows all again when it is zoomed out far enough, and does not pan beyond the ends', () => {
    const near = zoom(clock, null, 10, 0);
    expect(zoom(clock, near, 1 / 20, 0.5)).toBeNull();
    expect(stretchOf(clock, pan(clock, near, -5)).from).toBeCloseTo(stretchOf(clock, near).from);
    expect(pan(clock, null, 1)).toBeNull();
  });
  it('moves only when what is asked for is not in view', () => {
    const near = zoom(clock, null, 10, 0);
    expect(reveal(clock, near, { from: 100, to: 200 })).toBe(near);
    const moved = stretchOf(clock, reveal(clock, near, { from: 20_900, to: 21_000 }));
    expect(moved.from).toBeLessThan(20_900);
    expect(moved.to).toBeGreaterThan(21_000);
  });
  it('has round times, none closer than asked and none inside what is cut short', () => {
    const compact = buildClock(clockEdges(recoveredRun().events), null, true);
    const found = ticks(compact, stretchOf(compact, null), 150);
    expect(found.map(({ label }) => label)).toEqual(expect.arrayContaining(['0', '200 ms', '600 ms', '21.0 s']));
    for (const [place, { place: at }] of found.entries())
      expect(at - (found[place - 1]?.place ?? -1e9)).toBeGreaterThanOrEqual(150);
    expect(found.some(({ label }) => label === '10.0 s')).toBe(false);
  });
  it.each([
    [0, 100, '0'],
    [250, 50, '250 ms'],
    [11_485, 5, '11.485 s'],
    [90_000, 10_000, '90 s'],
    [200_000, 50_000, '3:20'],
    [200_500, 500, '3:20.5'],
  ])('says %d ms as exactly as a step of %d needs', (ms, step, words) => expect(tickLabel(ms, step)).toBe(words));
});
