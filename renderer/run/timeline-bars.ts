import { operationMarks } from '../design/marks.ts';
import type { Bar } from '../history/lane-layout.ts';
import { pointTarget } from '../history/point-target.ts';
import { hatching, type Colours } from './timeline-colours.ts';
import {
  edgeX,
  firstVisible,
  rowTop,
  sizes,
  toX,
  type LanePoint,
  type PlacedLane,
  type Scene,
} from './timeline-scene.ts';

export type BarLook = keyof typeof operationMarks;

/** How a bar is drawn: as its operation went in that attempt. */
export function barLook({ operation, span }: Bar, uncertain: ReadonlySet<string>): BarLook {
  const isLast = operation.spans.at(-1) === span;
  return span.outcome === 'cut' && isLast && uncertain.has(operation.id) ? 'uncertain' : span.outcome;
}

type Pen = CanvasRenderingContext2D;
/** A bar's rectangle on the canvas. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Bars narrower than this are drawn as a block of colour, many to a pixel as one. */
const thin = 5;

export function drawBars(pen: Pen, scene: Scene, placed: PlacedLane, colours: Colours): void {
  placed.lane.rows.forEach((bars, row) => {
    const y = rowTop(placed, row);
    const seen = y - scene.scrollTop;
    if (seen > scene.height || seen + sizes.row < sizes.axis) return;
    let drawnTo = -Infinity;
    let drawnLook: BarLook | null = null;
    for (let index = firstVisible(bars, scene.clock, scene.stretch.from); index < bars.length; index += 1) {
      const bar = bars[index];
      if (bar === undefined) break;
      const left = toX(scene, scene.clock.places[bar.from] ?? 0);
      if (left > scene.width) break;
      const right = edgeX(scene, bar.to);
      const look = barLook(bar, scene.uncertain);
      const isMarked = bar === scene.pointed || bar === scene.focused || bar.operation.id === scene.selected;
      // What would fall on pixels that have its colour already is passed over.
      if (right <= drawnTo + 0.5 && look === drawnLook && !isMarked) continue;
      const box = { x: left, y: y + (sizes.row - sizes.bar) / 2, width: Math.max(1.5, right - left) };
      drawBar(pen, box, look, colours);
      if (box.width >= thin) {
        const next = bars[index + 1];
        const until = next?.from ?? placed.lane.ended;
        const room = (until === null ? scene.width : edgeX(scene, until)) - right;
        drawLabel(pen, scene, box, bar, look, colours, room);
      }
      if (isMarked) drawRing(pen, box, bar, scene, colours);
      for (const point of placed.points.get(bar.operation.id) ?? []) drawPoint(pen, box, point, colours);
      drawnTo = box.x + box.width;
      drawnLook = look;
    }
  });
}

function drawBar(pen: Pen, { x, y, width }: Box, look: BarLook, colours: Colours): void {
  const colour = look === 'cut' ? colours.kill : colours[look];
  if (width < thin) {
    pen.fillStyle = colour;
    pen.globalAlpha = look === 'reused' ? 0.55 : 1;
    pen.fillRect(x, y, width, sizes.bar);
    pen.globalAlpha = 1;
    return;
  }
  pen.beginPath();
  if (look === 'cut') tornPath(pen, x, y, width);
  else pen.roundRect(x + 0.5, y + 0.5, width - 1, sizes.bar - 1, 3);
  pen.fillStyle = colours.panel;
  pen.fill();
  if (look !== 'reused') {
    pen.fillStyle = look === 'uncertain' ? hatching(pen, colour) : colour;
    pen.globalAlpha = look === 'uncertain' ? 0.45 : look === 'failed' ? 0.3 : 0.2;
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.stroke();
  if (look === 'open') {
    // It is still growing: its end is a front, not an edge.
    pen.fillStyle = colour;
    pen.fillRect(x + width - 3, y, 3, sizes.bar);
  }
}

/** Its process died before it was done: the right edge is torn. */
function tornPath(pen: Pen, x: number, y: number, width: number): void {
  const right = x + width - 0.5;
  const tooth = Math.min(5, width / 2);
  const steps = 4;
  pen.moveTo(x + 0.5, y + 0.5);
  for (let step = 0; step <= steps * 2; step += 1) {
    pen.lineTo(step % 2 === 0 ? right : right - tooth, y + 0.5 + ((sizes.bar - 1) * step) / (steps * 2));
  }
  pen.lineTo(x + 0.5, y + sizes.bar - 0.5);
  pen.closePath();
}

/** A label is cut down to this width, below it only the sign is left. */
const shortestLabel = 40;
const signWidth = 14;
const labelWidths = new Map<string, number>();

function drawLabel(
  pen: Pen,
  { width: canvasWidth }: Scene,
  { x, y, width }: Box,
  { operation }: Bar,
  look: BarLook,
  colours: Colours,
  room: number,
): void {
  pen.font = `11.5px ${colours.font}`;
  const text = `${operationMarks[look].sign} ${operation.name}`;
  const key = text + pen.font;
  let wide = labelWidths.get(key);
  if (wide === undefined) {
    if (labelWidths.size > 5000) labelWidths.clear();
    labelWidths.set(key, (wide = pen.measureText(text).width));
  }
  const middle = y + sizes.bar / 2 + 0.5;
  // In the bar as far as it is in view; beside it where it is too narrow and nothing follows soon.
  const left = Math.max(x, 0) + 6;
  const inside = Math.min(x + width, canvasWidth) - left - 4;
  pen.fillStyle = look === 'failed' ? colours.failed : colours.ink;
  if (wide <= inside) pen.fillText(text, left, middle);
  else if (width < wide && wide + 10 < room) pen.fillText(text, x + width + 4, middle);
  else if (inside > shortestLabel)
    pen.fillText(`${text.slice(0, Math.floor((text.length * inside) / wide) - 2)}…`, left, middle);
  else if (width > signWidth) pen.fillText(operationMarks[look].sign, x + (width - signWidth) / 2 + 2, middle);
}

function drawRing(pen: Pen, { x, y, width }: Box, bar: Bar, scene: Scene, colours: Colours): void {
  pen.strokeStyle = colours.accent;
  pen.lineWidth = bar === scene.focused || bar.operation.id === scene.selected ? 2 : 1;
  pen.beginPath();
  pen.roundRect(x - 1.5, y - 1.5, width + 3, sizes.bar + 3, 4);
  pen.stroke();
}

/** A flag on the bar where the process is to die, or died: hollow armed, filled fired, crossed missed. */
function drawPoint(pen: Pen, { x, y, width }: Box, { point, state }: LanePoint, colours: Colours): void {
  if (state === 'withdrawn') return;
  const phase = pointTarget(point)?.phase ?? 'during';
  const place =
    phase.startsWith('before-intent') || phase === 'after-intent' ? 0 : phase.startsWith('during') ? 0.5 : 1;
  const at = x + width * place;
  pen.strokeStyle = pen.fillStyle = state === 'missed' ? colours.quiet : colours.kill;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(at - 5, y - 4);
  pen.lineTo(at + 5, y - 4);
  pen.lineTo(at, y + 4);
  pen.closePath();
  if (state === 'fired') pen.fill();
  else {
    pen.save();
    pen.fillStyle = colours.panel;
    pen.fill();
    pen.restore();
    pen.stroke();
  }
  if (state !== 'missed') return;
  pen.beginPath();
  pen.moveTo(at - 5, y - 6);
  pen.lineTo(at + 5, y + 4);
  pen.stroke();
}
