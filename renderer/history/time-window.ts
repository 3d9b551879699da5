import type { Clock } from './clock.ts';

/** The part of a clock that is in view, in moments: it stands still while the clock grows. Null shows all. */
export type TimeWindow = { readonly from: number; readonly to: number } | null;

/** The same in places of the clock. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Room before the first and after the last moment, as a part of all. The last one holds the kill's name. */
const margin = { before: 0.01, after: 0.09 } as const;
/** The least that can be in view, in milliseconds at work: a thousandth is what the clock can tell apart at best. */
const narrowest = 0.05;

function whole(clock: Clock): Stretch {
  const length = Math.max(1, clock.length);
  return { from: -length * margin.before, to: length * (1 + margin.after) };
}

export function stretchOf(clock: Clock, window: TimeWindow): Stretch {
  return window === null ? whole(clock) : { from: clock.placeOf(window.from), to: clock.placeOf(window.to) };
}

/** Shows `1 / factor` of what is in view, with the moment at `part` (0 left, 1 right) where it is. */
export function zoom(clock: Clock, window: TimeWindow, factor: number, part: number): TimeWindow {
  const { from, to } = stretchOf(clock, window);
  const width = Math.max(narrowest, (to - from) / factor);
  const all = whole(clock);
  if (width >= all.to - all.from) return null;
  const start = from + (to - from - width) * part;
  return toWindow(clock, { from: start, to: start + width });
}

/** Moves what is in view by a part of its width; it stays within the clock. */
export function pan(clock: Clock, window: TimeWindow, parts: number): TimeWindow {
  if (window === null) return null;
  const { from, to } = stretchOf(clock, window);
  return toWindow(clock, { from: from + (to - from) * parts, to: to + (to - from) * parts });
}

/** Moves as little as is needed to bring the places from `from` to `to` into view; a longer stretch from its begin. */
export function reveal(clock: Clock, window: TimeWindow, { from, to }: Stretch): TimeWindow {
  if (window === null) return null;
  const seen = stretchOf(clock, window);
  const width = seen.to - seen.from;
  const room = width * 0.05;
  if (from - room < seen.from || to - from > width)
    return toWindow(clock, { from: from - room, to: from - room + width });
  if (to + room > seen.to) return toWindow(clock, { from: to + room - width, to: to + room });
  return window;
}

function toWindow(clock: Clock, { from, to }: Stretch): TimeWindow {
  const all = whole(clock);
  const width = to - from;
  const start = Math.min(Math.max(from, all.from), all.to - width);
  return { from: clock.momentAt(start), to: clock.momentAt(start + width) };
}

export interface Tick {
  readonly place: number;
  /** The time since the clock's begin. */
  readonly label: string;
}

const nice = [1, 2, 5] as const;

/** `0`, `250 ms`, `11.485 s`, `3:20` minutes: as exact as ticks that are `step` milliseconds apart need. */
export function tickLabel(ms: number, step: number): string {
  if (ms === 0) return '0';
  const exact = Math.min(3, Math.max(0, Math.ceil(-Math.log10(step / 1000))));
  if (ms < 1000) return `${ms.toFixed(step < 1 ? Math.min(3, Math.ceil(-Math.log10(step))) : 0)} ms`;
  const seconds = ms / 1000;
  const digits = step < 1 ? exact + 1 : exact;
  if (seconds < 120) return `${seconds.toFixed(digits)} s`;
  const rest = (seconds % 60).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
}

/** Round times since the clock's begin, at least `spacing` places apart; none within what is cut short. */
export function ticks(clock: Clock, { from, to }: Stretch, spacing: number): Tick[] {
  const step = niceStep(spacing);
  const found: Tick[] = [];
  let lastPlace = -Infinity;
  const pieces = [...clock.gaps.map((gap) => ({ end: gap.from, next: gap.to })), { end: Infinity, next: Infinity }];
  let start = Math.max(clock.from, clock.momentAt(from));
  const last = Math.min(clock.to + (clock.to - clock.from), clock.momentAt(to));
  for (const { end, next } of pieces) {
    let tick = Math.ceil((start - clock.from) / step);
    for (; clock.from + tick * step <= Math.min(end, last); tick += 1) {
      const moment = clock.from + tick * step;
      const place = clock.placeOf(moment);
      if (place - lastPlace < spacing) continue;
      found.push({ place, label: tickLabel(tick * step, step) });
      lastPlace = place;
    }
    start = Math.max(start, next);
    if (start > last) break;
  }
  return found;
}

/** The smallest of 1, 2 or 5 times a power of ten milliseconds that is not under `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
  const factor = nice.find((one) => one * power >= least) ?? 10;
  return factor * power;
}
