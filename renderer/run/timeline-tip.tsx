import { OperationMark } from '../design/state-mark.tsx';
import { clockTime, took } from '../design/words.ts';
import type { Bar } from '../history/lane-layout.ts';
import { useNow } from '../store/now.ts';
import { barLook } from './timeline-bars.ts';
import { useUncertain } from './uncertain-operations.ts';

const tipWidth = 300;

/** Exact times of the operation that is pointed at or in focus. */
export function TimelineTip({ bar, place }: { bar: Bar; place: { x: number; y: number; width: number } }) {
  const { operation, span } = bar;
  const uncertain = useUncertain(({ ids }) => ids);
  const now = useNow(200, span.to === null);
  const tries = operation.tries.filter(({ attempt }) => attempt === span.attempt).length;
  const left = Math.max(4, Math.min(place.x, place.width - tipWidth - 4));
  return (
    <div
      role="tooltip"
      style={{ left, top: place.y + 4, width: tipWidth }}
      className="pointer-events-none absolute z-10 rounded border border-line bg-panel px-2.5 py-2 text-[12px] shadow-lg"
    >
      <p className="flex items-baseline gap-2">
        <span className="font-mono text-quiet">{operation.id}</span>
        <span className="min-w-0 flex-1 truncate font-semibold">{operation.name}</span>
        <span className="text-quiet">{operation.kind}</span>
      </p>
      <p className="flex justify-between gap-2">
        <OperationMark state={barLook(bar, uncertain)} />
        <span className="text-quiet">attempt {span.attempt}</span>
      </p>
      <p className="mt-1 font-mono text-[11.5px] tabular-nums">
        {clockTime(span.from)}
        {span.outcome !== 'reused' && (
          <>
            {' – '}
            {span.to === null ? 'now' : clockTime(span.to)} · {took((span.to ?? now) - span.from)}
          </>
        )}
      </p>
      {span.diverged && <p className="text-uncertain">asked with other arguments than those recorded</p>}
      {tries > 0 && (
        <p className="text-failed">
          {tries} failed {tries === 1 ? 'try' : 'tries'}
        </p>
      )}
      {operation.error !== null && <p className="line-clamp-2 text-failed">{operation.error}</p>}
    </div>
  );
}
