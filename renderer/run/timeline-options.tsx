import type { Bar } from '../history/lane-layout.ts';
import { operationMarks } from '../design/marks.ts';
import { clockTime, took } from '../design/words.ts';
import { barLook } from './timeline-bars.ts';
import type { LanePoint, PlacedLane } from './timeline-scene.ts';
import { inOrder } from './timeline-steps.ts';

interface TimelineOptionsProps {
  readonly lanes: readonly PlacedLane[];
  readonly focused: Bar | null;
  readonly selected: string | null;
  readonly uncertain: ReadonlySet<string>;
}

/** The operations as a screen reader has them: of a long list only the one in focus and its neighbours exist. */
export function TimelineOptions({ lanes, focused, selected, uncertain }: TimelineOptionsProps) {
  const first = lanes[0]?.lane.rows[0]?.[0];
  const centre = focused ?? first;
  if (centre === undefined) return null;
  const bars = inOrder(lanes, centre);
  const place = bars.indexOf(centre);
  const from = Math.max(0, place - 1);
  return bars.slice(from, place + 2).map((bar, index) => (
    <div
      key={bar.span.begun}
      id={bar === focused ? 'timeline-active' : undefined}
      role="option"
      aria-selected={bar.operation.id === selected}
      aria-posinset={from + index + 1}
      aria-setsize={bars.length}
      className="sr-only top-0"
    >
      {describeBar(bar, uncertain, pointsOf(lanes, bar))}
    </div>
  ));
}

function pointsOf(lanes: readonly PlacedLane[], { operation, span }: Bar): readonly LanePoint[] {
  return lanes.find(({ lane }) => lane.attempt.number === span.attempt)?.points.get(operation.id) ?? [];
}

function describeBar(bar: Bar, uncertain: ReadonlySet<string>, points: readonly LanePoint[]): string {
  const { operation, span } = bar;
  const lasted = span.outcome === 'reused' || span.to === null ? '' : `, took ${took(span.to - span.from)}`;
  const aimed = points.map(({ point, state }) => `, crash point ${point} ${state}`).join('');
  return `Operation ${operation.id}, ${operation.kind} ${operation.name}, attempt ${span.attempt}, ${operationMarks[barLook(bar, uncertain)].words}, at ${clockTime(span.from)}${lasted}${aimed}`;
}
