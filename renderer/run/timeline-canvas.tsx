import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Bar } from '../history/lane-layout.ts';
import { stretchOf } from '../history/time-window.ts';
import { select, useView } from '../store/view-store.ts';
import { LaneHeadings } from './timeline-headings.tsx';
import { TimelineOptions } from './timeline-options.tsx';
import { barAt, edgeX, rowTop, sizes, type Scene } from './timeline-scene.ts';
import { besideBar } from './timeline-steps.ts';
import { TimelineTip } from './timeline-tip.tsx';
import { useUncertain } from './uncertain-operations.ts';
import { useDrawing, useSize } from './use-drawing.ts';
import { useDrag, useWheel } from './use-gestures.ts';
import type { Timeline } from './use-timeline.ts';

/** The drawn part of the timeline, with the list that stands for it for a screen reader. One stop of the Tab key. */
export function TimelineCanvas({ timeline }: { readonly timeline: Timeline }) {
  const { lanes, change, isLive } = timeline;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [pointedKey, setPointed] = useState<number | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const selected = useView(({ operation }) => operation);
  const uncertain = useUncertain(({ ids }) => ids);
  const pointed = findBar(timeline, pointedKey);
  const focused = hasFocus ? findBar(timeline, active) : null;

  const sceneNow = useCallback((): Scene => {
    const clock = timeline.clock();
    return {
      ...{ lanes: timeline.lanes, clock, stretch: stretchOf(clock, timeline.window), ...size },
      scrollTop: scroller.current?.scrollTop ?? 0,
      ...{ uncertain, selected, pointed, focused },
    };
  }, [timeline, size, uncertain, selected, pointed, focused]);

  useSize(scroller, setSize);
  useDrawing(canvas, scroller, sceneNow, isLive);
  useWheel(scroller, change);

  const content = sizes.axis + lanes.reduce((sum, { height }) => sum + height, 0) + sizes.row;
  const drag = useDrag(change, size.width);
  const shown = pointed ?? focused;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isHandled = onTimelineKey(event.key, event.shiftKey, change) || moveTo(event.key);
    if (isHandled) event.preventDefault();
  }
  function moveTo(key: string): boolean {
    if ((key === 'Enter' || key === ' ') && focused !== null) {
      select(focused.operation.id);
      return true;
    }
    const next = besideBar(lanes, focused, key);
    if (next === null) return key.startsWith('Arrow');
    setActive(barKey(next));
    change.reveal(next);
    const placed = lanes.find(({ lane }) => lane.attempt.number === next.span.attempt);
    if (placed !== undefined) scrollToRow(scroller.current, rowTop(placed, next.row));
    return true;
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    if (drag.move(event)) return setPointed(null);
    const box = event.currentTarget.getBoundingClientRect();
    const bar = barAt(sceneNow(), event.clientX - box.left, event.clientY - box.top);
    setPointed(bar === null ? null : barKey(bar));
  }
  function onPointerUp(event: PointerEvent<HTMLDivElement>): void {
    if (drag.end(event) || pointed === null) return;
    setActive(barKey(pointed));
    select(pointed.operation.id);
  }

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label="Operations on the timeline. Arrow keys move between operations, plus and minus zoom, Shift and arrow keys pan."
        aria-activedescendant={focused === null ? undefined : 'timeline-active'}
        className="absolute inset-0 overflow-x-hidden overflow-y-auto outline-offset-[-2px]"
        onKeyDown={onKeyDown}
        onFocus={() => {
          setFocus(true);
          setActive((now) => now ?? firstKey(timeline));
        }}
        onBlur={() => setFocus(false)}
        onPointerDown={drag.begin}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setPointed(null)}
        onWheel={() => setPointed(null)}
      >
        <div role="presentation" className="relative" style={{ height: Math.max(content, size.height) }}>
          <canvas ref={canvas} aria-hidden="true" className="sticky top-0 block" />
          <LaneHeadings lanes={lanes} />
          <TimelineOptions lanes={lanes} focused={focused} selected={selected} uncertain={uncertain} />
        </div>
      </div>
      {shown !== null && <TimelineTip bar={shown} place={tipPlace(sceneNow(), shown)} />}
    </div>
  );
}

/** The sequence number of its first event: of no other bar. */
const barKey = ({ span }: Bar): number => span.begun;

function findBar({ lanes }: Timeline, key: number | null): Bar | null {
  if (key === null) return null;
  for (const { lane } of lanes) {
    for (const row of lane.rows) {
      const found = row.find(({ span }) => span.begun === key);
      if (found !== undefined) return found;
    }
  }
  return null;
}

function firstKey({ lanes }: Timeline): number | null {
  const first = lanes.flatMap(({ lane }) => lane.rows[0]?.[0] ?? [])[0];
  return first === undefined ? null : barKey(first);
}

function tipPlace(scene: Scene, bar: Bar): { x: number; y: number; width: number } {
  const placed = scene.lanes.find(({ lane }) => lane.attempt.number === bar.span.attempt);
  const y = placed === undefined ? 0 : rowTop(placed, bar.row) + sizes.row - scene.scrollTop;
  return { x: Math.max(0, edgeX(scene, bar.from)), y, width: scene.width };
}

function scrollToRow(scroller: HTMLElement | null, top: number): void {
  if (scroller === null) return;
  const { scrollTop, clientHeight } = scroller;
  if (top - sizes.axis - sizes.heading < scrollTop) scroller.scrollTop = top - sizes.axis - sizes.heading;
  else if (top + sizes.row > scrollTop + clientHeight) scroller.scrollTop = top + sizes.row - clientHeight;
}

function onTimelineKey(key: string, hasShift: boolean, change: Timeline['change']): boolean {
  if (key === '+' || key === '=') change.zoom(1.5);
  else if (key === '-') change.zoom(1 / 1.5);
  else if (key === '0') change.fit();
  else if (hasShift && key === 'ArrowLeft') change.pan(-0.2);
  else if (hasShift && key === 'ArrowRight') change.pan(0.2);
  else return false;
  return true;
}
