import type { Clock } from '../history/clock.ts';
import type { Bar, Lane } from '../history/lane-layout.ts';
import type { PointHistory } from '../history/run-history.ts';
import type { Stretch } from '../history/time-window.ts';

/** Heights in CSS pixels. */
export const sizes = { axis: 26, heading: 26, row: 30, bar: 22, laneEnd: 10, death: 20 } as const;

export interface PlacedLane {
  readonly lane: Lane;
  /** From the content's top, below the axis. */
  readonly top: number;
  readonly height: number;
  /** Crash points of this attempt by the operation they aim at; those staged for the next one stand on the last lane. */
  readonly points: ReadonlyMap<string, readonly LanePoint[]>;
}

export interface LanePoint extends Pick<PointHistory, 'point'> {
  readonly state: PointHistory['state'] | 'staged';
}

/** Everything that is drawn, with where it stands. */
export interface Scene {
  readonly lanes: readonly PlacedLane[];
  readonly clock: Clock;
  readonly stretch: Stretch;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly uncertain: ReadonlySet<string>;
  readonly selected: string | null;
  readonly pointed: Bar | null;
  readonly focused: Bar | null;
}

/** Whether the attempt's process died, rather than ending by itself. */
export function isDeath({ attempt: { cause } }: Lane): boolean {
  return cause !== null && cause.kind !== 'finished' && cause.kind !== 'cancelled';
}

/** Lanes below each other. Below a death there is room for its name. */
export function placeLanes(
  lanes: readonly Lane[],
  pointsOf: (lane: Lane, isLast: boolean) => PlacedLane['points'],
): PlacedLane[] {
  let top = 0;
  return lanes.map((lane, place) => {
    const foot = isDeath(lane) ? sizes.laneEnd + sizes.death : sizes.laneEnd;
    const height = sizes.heading + Math.max(1, lane.rows.length) * sizes.row + foot;
    const placed = { lane, top, height, points: pointsOf(lane, place === lanes.length - 1) };
    top += height;
    return placed;
  });
}

export function toX({ stretch, width }: Pick<Scene, 'stretch' | 'width'>, place: number): number {
  return ((place - stretch.from) / (stretch.to - stretch.from)) * width;
}

/** Where an edge of the clock stands; what is open goes up to the clock's end. */
export function edgeX(scene: Scene, edge: number | null): number {
  return toX(scene, edge === null ? scene.clock.length : (scene.clock.places[edge] ?? scene.clock.length));
}

export function rowTop({ top }: PlacedLane, row: number): number {
  return sizes.axis + top + sizes.heading + row * sizes.row;
}

/** The place of the first bar of a row that ends after `place`; bars of a row do not overlap. */
export function firstVisible(bars: readonly Bar[], { places, length }: Clock, place: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const to = bars[middle]?.to;
    const end = to == null ? length : (places[to] ?? length);
    if (end < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bars narrower than a finger's tip are found a little beside themselves too. */
const reach = 3;

/** The bar under a point of the canvas. */
export function barAt(scene: Scene, x: number, y: number): Bar | null {
  const contentY = y + scene.scrollTop - sizes.axis;
  const placed = scene.lanes.find(({ top, height }) => contentY >= top && contentY < top + height);
  if (y < sizes.axis || placed === undefined) return null;
  const bars = placed.lane.rows[Math.floor((contentY - placed.top - sizes.heading) / sizes.row)];
  if (bars === undefined) return null;
  const { from, to } = scene.stretch;
  const perPixel = (to - from) / scene.width;
  const place = from + x * perPixel;
  let nearest: Bar | null = null;
  let distance = reach * perPixel;
  for (let index = firstVisible(bars, scene.clock, place - distance); index < bars.length; index += 1) {
    const bar = bars[index];
    if (bar === undefined) break;
    const start = scene.clock.places[bar.from] ?? 0;
    if (start > place + distance) break;
    const end = bar.to === null ? scene.clock.length : (scene.clock.places[bar.to] ?? scene.clock.length);
    const away = Math.max(0, start - place, place - end);
    if (away <= distance) {
      nearest = bar;
      distance = away;
    }
  }
  return nearest;
}
