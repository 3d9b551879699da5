import { memo } from 'react';
import { operationMarks } from '../design/marks.ts';
import { OperationMark } from '../design/state-mark.tsx';
import { took } from '../design/words.ts';
import { shownState, workedMs } from '../history/operation-rows.ts';
import type { AttemptHistory, OperationHistory } from '../history/run-history.ts';
import { select } from '../store/view-store.ts';
import { PointMark } from './point-mark.tsx';
import type { LanePoint } from './timeline-scene.ts';

export const gridColumns = '52px 58px minmax(112px,1.3fr) 178px 70px minmax(150px,1fr) 54px 78px 46px 66px';

interface OperationRowProps {
  readonly operation: OperationHistory;
  readonly attempts: readonly AttemptHistory[];
  readonly points: readonly LanePoint[] | undefined;
  readonly uncertain: ReadonlySet<string>;
  readonly index: number;
  readonly start: number;
  readonly now: number;
  readonly isSelected: boolean;
}

export const OperationRow = memo(function OperationRow(props: OperationRowProps) {
  const { operation, attempts, points, uncertain, index, start, now, isSelected } = props;
  const { id, kind, name, bodies, tries, receipts, error } = operation;
  const signs = attemptSigns(operation, attempts);
  return (
    <div
      id={`operation-row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ top: start, gridTemplateColumns: gridColumns }}
      className={`absolute left-0 grid h-7 w-full cursor-default contain-strict items-center border-b border-line/60 px-2 ${isSelected ? 'bg-accent/10 shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-raised'}`}
      onClick={() => select(id)}
    >
      <Cell className="font-mono text-[12px] text-quiet">{id}</Cell>
      <Cell className="text-quiet">{kind}</Cell>
      <Cell className="truncate pr-2" title={error ?? name}>
        {name}
        {error !== null && <span className="ml-2 text-failed">{error}</span>}
      </Cell>
      <Cell>
        <OperationMark state={shownState(operation, uncertain)} />
      </Cell>
      <Cell
        className="tracking-[0.25em]"
        label={signs.map(({ number, words }) => `attempt ${number} ${words}`).join(', ')}
      >
        {signs.map(({ number, sign, colour }) => (
          <span key={number} className={colour}>
            {sign}
          </span>
        ))}
      </Cell>
      <Cell className="truncate">
        {points?.map((point, place) => (
          <PointMark key={place} point={point} />
        ))}
      </Cell>
      <Cell className="pr-3 text-right tabular-nums">{bodies}</Cell>
      <Cell className="pr-3 text-right tabular-nums">{took(workedMs(operation, now))}</Cell>
      <Cell className={`pr-3 text-right tabular-nums ${tries.length > 0 ? 'text-failed' : 'text-quiet'}`}>
        {tries.length}
      </Cell>
      <Cell className="pr-3 text-right tabular-nums">{receipts}</Cell>
    </div>
  );
});

interface CellProps {
  readonly className?: string;
  readonly title?: string;
  readonly label?: string;
  readonly children: React.ReactNode;
}

// Only cells that may be too long are cut: each that is costs the browser a clip in every frame.
function Cell({ className = '', title, label, children }: CellProps) {
  return (
    <div role="gridcell" title={title} aria-label={label} className={`whitespace-nowrap ${className}`}>
      {children}
    </div>
  );
}

/** The last attempts that have room, one sign each. */
const mostSigns = 5;

function attemptSigns({ spans }: OperationHistory, attempts: readonly AttemptHistory[]) {
  return attempts.slice(-mostSigns).map(({ number }) => {
    const own = spans.filter(({ attempt }) => attempt === number);
    const span = own.findLast(({ outcome }) => outcome !== 'reused') ?? own.at(-1);
    const none = { sign: '·', colour: 'text-quiet', words: 'did not come to it' };
    return { number, ...(span === undefined ? none : operationMarks[span.outcome]) };
  });
}
