import type { ClockEdges, Fill } from './clock-edges.ts';

/** A part of the clock that is drawn shorter than it was. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly fill: Fill;
}

/** Maps moments (milliseconds since 1970) to places on a line and back. Rising and continuous. */
export interface Clock {
  /** The place of each edge, from 0. */
  readonly places: Float64Array;
  /** The first moment, and the last one that it knows. */
  readonly from: number;
  readonly to: number;
  /** The place of the last moment. */
  readonly length: number;
  readonly gaps: readonly Gap[];
  placeOf(moment: number): number;
  momentAt(place: number): number;
}

/** Of the time at work: what one cut wait is drawn as, what one short operation is given, and what all of them may take. */
const share = { gap: 0.04, short: 0.09, all: 0.35 } as const;

const isIdle = (fill: Fill | undefined): boolean => fill === 'wait' || fill === 'between' || fill === 'rest';

/**
 * The clock of a run up to `now` (null: it is over). Plain, a place is a millisecond. Compact, time in which nothing is
 * at work is cut short, and an operation too short to be seen is given a little width.
 */
export function buildClock(edges: ClockEdges, now: number | null, isCompact: boolean): Clock {
  const { fills, short } = edges;
  const moments = withNow(edges, now);
  const segments = Math.max(0, moments.length - 1);
  const spans = Float64Array.from(
    { length: segments },
    (_, place) => (moments[place + 1] ?? 0) - (moments[place] ?? 0),
  );
  const widths = spans.slice();
  const gaps: Gap[] = [];
  if (isCompact) {
    const { longest, shortest } = bounds(spans, fills, short);
    spans.forEach((span, place) => {
      const fill = fills[place] ?? 'work';
      if (isIdle(fill) && span > longest) {
        widths[place] = longest;
        gaps.push({ from: moments[place] ?? 0, to: moments[place + 1] ?? 0, fill });
      } else if (short[place] === true && span < shortest) widths[place] = shortest;
    });
  }
  const places = new Float64Array(moments.length);
  widths.forEach((width, place) => (places[place + 1] = (places[place] ?? 0) + width));
  return {
    places,
    from: moments[0] ?? 0,
    to: moments.at(-1) ?? 0,
    length: places.at(-1) ?? 0,
    gaps,
    placeOf: (moment) => between(moments, places, moment),
    momentAt: (place) => between(places, moments, place),
  };
}

function withNow({ moments, fills, wakesAt }: ClockEdges, now: number | null): readonly number[] {
  const last = moments.at(-1);
  if (now === null || last === undefined || now <= last || fills.length === 0) return moments;
  // A wait that is over is only as long as it was meant to be; what came after it is known with the next event.
  return wakesAt !== null && wakesAt > last && wakesAt < now ? [...moments, wakesAt, now] : [...moments, now];
}

/** How long an idle time may be drawn, and how short a whole operation. */
function bounds(
  spans: Float64Array,
  fills: readonly Fill[],
  short: readonly boolean[],
): { longest: number; shortest: number } {
  let busy = 1;
  spans.forEach((span, place) => void (busy += isIdle(fills[place]) ? 0 : span));
  const longest = busy * share.gap;
  const shortest = busy * share.short;
  let gaps = 0;
  let shorts = 0;
  spans.forEach((span, place) => {
    if (isIdle(fills[place]) && span > longest) gaps += 1;
    if (short[place] === true && span < shortest) shorts += 1;
  });
  return {
    longest: Math.min(longest, (busy * share.all) / Math.max(1, gaps)),
    shortest: Math.min(shortest, (busy * share.all) / Math.max(1, shorts)),
  };
}

/** Linear between the two knots around `value`; the ends go on with slope 1. */
function between(from: ArrayLike<number>, to: ArrayLike<number>, value: number): number {
  const last = from.length - 1;
  if (last < 0) return 0;
  const first = from[0] ?? 0;
  if (value <= first) return (to[0] ?? 0) + value - first;
  const end = from[last] ?? 0;
  if (value >= end) return (to[last] ?? 0) + value - end;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  const start = from[low] ?? 0;
  const width = (from[high] ?? 0) - start;
  const part = width === 0 ? 0 : (value - start) / width;
  return (to[low] ?? 0) + part * ((to[high] ?? 0) - (to[low] ?? 0));
}
