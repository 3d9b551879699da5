import { Minus, Maximize2, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Empty, ErrorView } from '../design/states.tsx';
import { useOpenRun } from '../store/open-run.ts';
import { LoadingHistory } from './loading-history.tsx';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import { useTimeline } from './use-timeline.ts';

/** Attempts of the run on one clock. */
export function TimelineTab({ run }: { readonly run: string }) {
  const error = useOpenRun(({ error }) => error);
  const attempts = useOpenRun(({ history }) => history.attempts.length);
  const isComplete = useOpenRun(({ isComplete, history }) => isComplete && history.run === run);
  if (error !== null) return <ErrorView error={error} />;
  if (!isComplete) return <LoadingHistory run={run} />;
  if (attempts === 0) {
    return (
      <Empty title="No attempt was started yet">
        <p>The first one appears here as soon as the run is claimed.</p>
      </Empty>
    );
  }
  return <Timeline run={run} key={run} />;
}

function Timeline({ run }: { readonly run: string }) {
  const [isCompact, setCompact] = useState(true);
  const timeline = useTimeline(run, isCompact);
  const { change, isWhole } = timeline;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div role="toolbar" aria-label="timeline" className="flex items-center gap-1 border-b border-line px-2 py-1">
        <Button
          look="quiet"
          className="px-1.5!"
          aria-label="Zoom out"
          title="Zoom out (−)"
          onClick={() => change.zoom(0.5)}
        >
          <Minus size={14} aria-hidden="true" />
        </Button>
        <Button
          look="quiet"
          className="px-1.5!"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => change.zoom(2)}
        >
          <Plus size={14} aria-hidden="true" />
        </Button>
        <Button look="quiet" disabled={isWhole} title="Show all (0)" onClick={() => change.fit()}>
          <Maximize2 size={13} aria-hidden="true" /> Fit
        </Button>
        <label
          className="ml-2 flex items-center gap-1.5 whitespace-nowrap"
          title="Waits are cut short and marked; operations too short to be seen are given a little width"
        >
          <input
            type="checkbox"
            className="accent-accent"
            checked={isCompact}
            onChange={() => setCompact(!isCompact)}
          />
          Compact clock
        </label>
      </div>
      <TimelineCanvas timeline={timeline} />
      <TimelineLegend />
    </div>
  );
}
