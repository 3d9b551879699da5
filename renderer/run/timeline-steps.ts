import type { Bar, Lane } from '../history/lane-layout.ts';
import type { PlacedLane } from './timeline-scene.ts';

/**
 * The bar that a key leads to: left and right in the order of their begin, up and down to the bar that stands nearest
 * in the next row or lane. Null when there is none, or the key leads nowhere.
 */
export function besideBar(lanes: readonly PlacedLane[], from: Bar | null, key: string): Bar | null {
  if (from === null) return null;
  if (key === 'Home' || key === 'End') return inOrder(lanes, from).at(key === 'Home' ? 0 : -1) ?? null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const bars = inOrder(lanes, from);
    return bars[bars.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)] ?? null;
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const rows = lanes.flatMap(({ lane }) => lane.rows.filter((row) => row.length > 0));
  const row = rows.findIndex((bars) => bars.includes(from));
  const next = rows[row + (key === 'ArrowUp' ? -1 : 1)];
  // In another attempt the same operation is what one wants to compare with.
  return next?.find(({ operation }) => operation.id === from.operation.id) ?? nearest(next ?? [], from.from);
}

const orders = new WeakMap<Lane, readonly Bar[]>();

/** The bars of a bar's attempt, as they began. */
export function inOrder(lanes: readonly PlacedLane[], { span }: Bar): readonly Bar[] {
  const lane = lanes.find(({ lane }) => lane.attempt.number === span.attempt)?.lane;
  if (lane === undefined) return [];
  const known = orders.get(lane);
  if (known !== undefined) return known;
  const bars = lane.rows.flat().sort((a, b) => a.span.begun - b.span.begun);
  orders.set(lane, bars);
  return bars;
}

function nearest(bars: readonly Bar[], edge: number): Bar | null {
  return bars.reduce<Bar | null>(
    (best, bar) => (best === null || Math.abs(bar.from - edge) < Math.abs(best.from - edge) ? bar : best),
    null,
  );
}
