import { duration } from '../design/words.ts';
import { ticks } from '../history/time-window.ts';
import { drawBars } from './timeline-bars.ts';
import { hatching, type Colours } from './timeline-colours.ts';
import { edgeX, isDeath, rowTop, sizes, toX, type PlacedLane, type Scene } from './timeline-scene.ts';

/** Pixels between two times on the axis, at least. */
const tickSpacing = 84;

/** Draws what is in view, and nothing else: the time that it takes follows from the window's size, not the run's. */
export function drawTimeline(context: CanvasRenderingContext2D, scene: Scene, colours: Colours): void {
  const { width, height, scrollTop } = scene;
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  drawGaps(context, scene, colours);
  const visible = scene.lanes.filter(
    ({ top, height: own }) => top + own > scrollTop && top < scrollTop + height - sizes.axis,
  );
  context.save();
  context.beginPath();
  context.rect(0, sizes.axis, width, height);
  context.clip();
  context.translate(0, -scrollTop);
  for (const lane of visible) {
    context.fillStyle = colours.line;
    if (lane.top > 0) context.fillRect(0, sizes.axis + lane.top, width, 1);
    drawStart(context, scene, lane, colours);
    drawBars(context, scene, lane, colours);
    drawEnd(context, scene, lane, colours);
  }
  context.restore();
  drawAxis(context, scene, colours);
}

function drawAxis(context: CanvasRenderingContext2D, scene: Scene, colours: Colours): void {
  const { clock, stretch, width, height } = scene;
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, width, sizes.axis);
  context.font = `11px ${colours.font}`;
  const spacing = ((stretch.to - stretch.from) / width) * tickSpacing;
  for (const { place, label } of ticks(clock, stretch, spacing)) {
    const x = Math.round(toX(scene, place));
    context.fillStyle = colours.line;
    context.globalAlpha = 0.5;
    context.fillRect(x, sizes.axis, 1, height);
    context.globalAlpha = 1;
    context.fillRect(x, sizes.axis - 5, 1, 5);
    context.fillStyle = colours.quiet;
    context.fillText(label, x + 4, sizes.axis / 2);
  }
  context.fillStyle = colours.line;
  context.fillRect(0, sizes.axis - 1, width, 1);
}

/** Time that is cut short: a band over all lanes, with how long it was. */
function drawGaps(context: CanvasRenderingContext2D, scene: Scene, colours: Colours): void {
  const { clock, height } = scene;
  context.font = `10.5px ${colours.font}`;
  for (const gap of clock.gaps) {
    const from = toX(scene, clock.placeOf(gap.from));
    const to = toX(scene, clock.placeOf(gap.to));
    if (to < 0 || from > scene.width || to - from < 2) continue;
    context.fillStyle = colours.raised;
    context.fillRect(from, sizes.axis, to - from, height);
    context.save();
    context.globalAlpha = 0.55;
    context.fillStyle = hatching(context, colours.line);
    context.fillRect(from, sizes.axis, to - from, height);
    context.restore();
    drawGapWords(context, scene, colours, `⋯ ${duration(gap.to - gap.from)} ⋯`, from, to);
  }
}

/** At the foot of the band; upright where it is too narrow. */
function drawGapWords(
  context: CanvasRenderingContext2D,
  { height }: Scene,
  colours: Colours,
  words: string,
  from: number,
  to: number,
): void {
  const room = context.measureText(words).width + 6;
  const isUpright = room > to - from;
  if (isUpright && to - from < 12) return;
  context.save();
  context.translate((from + to) / 2, isUpright ? height - 8 - room / 2 : height - 14);
  if (isUpright) context.rotate(-Math.PI / 2);
  context.fillStyle = colours.raised;
  context.fillRect(-room / 2, -7, room, 14);
  context.fillStyle = colours.quiet;
  context.fillText(words, 3 - room / 2, 0.5);
  context.restore();
}

/** Before an attempt's first operation: its process starts, then the relay is loaded. Thinner than work. */
function drawStart(context: CanvasRenderingContext2D, scene: Scene, placed: PlacedLane, colours: Colours): void {
  const { lane } = placed;
  const y = rowTop(placed, 0) + sizes.row / 2;
  const until = lane.first ?? lane.ended;
  const parts = [
    { words: 'process starting', from: lane.claimed, to: lane.spawned ?? until },
    ...(lane.spawned === null ? [] : [{ words: 'relay loading', from: lane.spawned, to: until }]),
  ];
  context.font = `10.5px ${colours.font}`;
  for (const { words, from, to } of parts) {
    const left = edgeX(scene, from);
    const right = edgeX(scene, to);
    if (right < 0 || left > scene.width) continue;
    context.fillStyle = colours.quiet;
    context.globalAlpha = 0.55;
    context.fillRect(left, y - 0.5, Math.max(1, right - left), 1);
    context.fillRect(left, y - 4, 1, 8);
    context.globalAlpha = 1;
    if (context.measureText(words).width + 12 > right - left) continue;
    context.fillText(words, left + 6, y - 7);
  }
}

/** The end of an attempt: a death is a red mark that names what killed it. */
function drawEnd(context: CanvasRenderingContext2D, scene: Scene, placed: PlacedLane, colours: Colours): void {
  const { lane, top, height } = placed;
  const { cause } = lane.attempt;
  if (lane.ended === null || cause === null) return;
  const x = Math.round(edgeX(scene, lane.ended));
  if (x < -1 || x > scene.width + 1) return;
  const from = sizes.axis + top + 3;
  context.fillStyle = isDeath(lane) ? colours.kill : colours.done;
  if (!isDeath(lane)) {
    context.fillRect(x, from + sizes.heading - 3, 1.5, height - sizes.heading - 4);
    return;
  }
  context.fillRect(x - 1, from, 2, height - 6);
  context.font = `600 11.5px ${colours.font}`;
  const words = `⚡ ${cause.kind === 'crash-point' ? `${cause.signal} · ${cause.point}` : killWords(cause.kind)}`;
  const room = context.measureText(words).width + 10;
  const left = x + 4 + room > scene.width ? x - 4 - room : x + 4;
  const y = sizes.axis + top + height - sizes.death / 2 - 6;
  context.fillStyle = colours.panel;
  context.fillRect(left, y - 9, room, 18);
  context.fillStyle = colours.kill;
  context.globalAlpha = 0.14;
  context.fillRect(left, y - 9, room, 18);
  context.globalAlpha = 1;
  context.fillText(words, left + 5, y + 0.5);
}

function killWords(kind: string): string {
  return kind === 'host-gone' ? 'host gone' : kind === 'signal' ? 'ended by a signal' : kind.replaceAll('-', ' ');
}
