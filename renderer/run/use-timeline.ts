import { useMemo, useState } from 'react';
import { clockEdges } from '../history/clock-edges.ts';
import { buildClock, type Clock } from '../history/clock.ts';
import { layoutLanes, type Bar } from '../history/lane-layout.ts';
import { pointsByOperation } from '../history/point-target.ts';
import { pan, reveal, zoom, type TimeWindow } from '../history/time-window.ts';
import { useOpenRun } from '../store/open-run.ts';
import { useView } from '../store/view-store.ts';
import { placeLanes, type LanePoint, type PlacedLane } from './timeline-scene.ts';

export interface Timeline {
  readonly run: string;
  readonly lanes: readonly PlacedLane[];
  /** Whether an attempt is alive, so that the clock goes on. */
  readonly isLive: boolean;
  /** The clock up to now. */
  clock(): Clock;
  readonly window: TimeWindow;
  readonly isWhole: boolean;
  readonly change: {
    /** `part` is the place that stands still: 0 the left edge, 1 the right one. */
    zoom(factor: number, part?: number): void;
    pan(parts: number): void;
    fit(): void;
    reveal(bar: Bar): void;
  };
}

const noPlan: readonly string[] = [];

/** The run in view as lanes on a clock, and which part of it is looked at. */
export function useTimeline(run: string, isCompact: boolean): Timeline {
  const history = useOpenRun(({ history }) => history);
  const staged = useView(({ plans }) => plans[run] ?? noPlan);
  const [window, setWindow] = useState<TimeWindow>(null);
  const edges = useMemo(() => clockEdges(history.events), [history]);
  const laid = useMemo(() => layoutLanes(history, edges), [history, edges]);
  const lanes = useMemo(
    () =>
      placeLanes(laid, ({ attempt }, isLast) => {
        const next = isLast ? staged.map((point): LanePoint => ({ point, state: 'staged' })) : [];
        const points: readonly LanePoint[] = [...attempt.points, ...next];
        return pointsByOperation(history.operations, points);
      }),
    [laid, staged, history],
  );
  const last = history.attempts.at(-1);
  const isLive = last !== undefined && last.endedAt === null;
  const over = useMemo(() => (isLive ? null : buildClock(edges, null, isCompact)), [edges, isLive, isCompact]);
  const clock = (): Clock => over ?? buildClock(edges, Date.now(), isCompact);
  return {
    run,
    lanes,
    isLive,
    clock,
    window,
    isWhole: window === null,
    change: {
      zoom: (factor, part = 0.5) => setWindow((now) => zoom(clock(), now, factor, part)),
      pan: (parts) => setWindow((now) => pan(clock(), now, parts)),
      fit: () => setWindow(null),
      reveal: ({ from, to }) =>
        setWindow((now) => {
          const its = clock();
          const end = to === null ? its.length : (its.places[to] ?? its.length);
          return reveal(its, now, { from: its.places[from] ?? 0, to: end });
        }),
    },
  };
}
