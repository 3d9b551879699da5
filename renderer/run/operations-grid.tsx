import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type KeyboardEvent } from 'react';
import { Empty } from '../design/states.tsx';
import type { Column, Order } from '../history/operation-rows.ts';
import { pointsByOperation } from '../history/point-target.ts';
import type { OperationHistory, RunHistory } from '../history/run-history.ts';
import { useNow } from '../store/now.ts';
import { select, useView } from '../store/view-store.ts';
import { gridColumns, OperationRow } from './operation-row.tsx';
import type { LanePoint } from './timeline-scene.ts';
import { useUncertain } from './uncertain-operations.ts';

const rowHeight = 28;
const overscan = 6;

const columns: readonly { readonly by: Column | null; readonly words: string; readonly isNumber?: boolean }[] = [
  { by: 'id', words: 'Id' },
  { by: 'kind', words: 'Kind' },
  { by: 'name', words: 'Name' },
  { by: 'state', words: 'State' },
  { by: null, words: 'Attempts' },
  { by: null, words: 'Crash points' },
  { by: 'bodies', words: 'Bodies', isNumber: true },
  { by: 'duration', words: 'Duration', isNumber: true },
  { by: 'tries', words: 'Tries', isNumber: true },
  { by: 'receipts', words: 'Receipts', isNumber: true },
];

interface OperationsGridProps {
  readonly rows: readonly OperationHistory[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly history: RunHistory;
}

const noPlan: readonly string[] = [];

/** The table: only the rows in view exist. One stop of the Tab key; arrows move the selection, which the inspector shows. */
export function OperationsGrid({ rows, order, onOrder, history }: OperationsGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const selected = useView(({ operation }) => operation);
  const staged = useView(({ plans }) => plans[history.run] ?? noPlan);
  const uncertain = useUncertain(({ ids }) => ids);
  const isLive = history.attempts.at(-1)?.endedAt === null;
  const now = useNow(500, isLive);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    paddingStart: rowHeight,
    scrollPaddingStart: rowHeight,
  });
  const points = useMemo(() => {
    const known: readonly LanePoint[] = history.attempts.flatMap((attempt) => attempt.points);
    return pointsByOperation(history.operations, [
      ...known,
      ...staged.map((point): LanePoint => ({ point, state: 'staged' })),
    ]);
  }, [history, staged]);
  const place = rows.findIndex(({ id }) => id === selected);

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, step(place, rows.length)));
    const row = rows[next];
    if (row === undefined) return;
    select(row.id);
    virtual.scrollToIndex(next);
  }

  const visible = virtual.getVirtualItems();
  // Rows that leave the view become those that enter it: nothing is built while scrolling.
  const slots = Math.ceil((virtual.scrollRect?.height ?? 0) / rowHeight) + 2 * overscan + 2;
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Operations"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={visible.some(({ index }) => index === place) ? `operation-row-${place}` : undefined}
      className="min-h-0 flex-1 overflow-auto bg-panel outline-offset-[-2px]"
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="relative min-w-[850px]" style={{ height: virtual.getTotalSize() }}>
        <div
          role="row"
          aria-rowindex={1}
          style={{ height: rowHeight, gridTemplateColumns: gridColumns }}
          className="sticky top-0 z-[1] grid items-center border-b border-line bg-raised px-2 text-[12px] font-medium"
        >
          {columns.map(({ by, words, isNumber = false }) => (
            <HeaderCell key={words} {...{ by, words, isNumber, order, onOrder }} />
          ))}
        </div>
        {visible.map(({ index, start }) => {
          const operation = rows[index];
          return (
            operation !== undefined && (
              <OperationRow
                key={index % slots}
                {...{ operation, index, start, now, uncertain }}
                attempts={history.attempts}
                points={points.get(operation.id)}
                isSelected={index === place}
              />
            )
          );
        })}
      </div>
      {rows.length === 0 && <Empty title="No operation passes the filter" />}
    </div>
  );
}

const pageRows = 20;
const steps: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  PageDown: (place) => place + pageRows,
  PageUp: (place) => place - pageRows,
  Home: () => 0,
  End: (_place, count) => count - 1,
};

interface HeaderCellProps {
  readonly by: Column | null;
  readonly words: string;
  readonly isNumber: boolean;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function HeaderCell({ by, words, isNumber, order, onOrder }: HeaderCellProps) {
  const isSorted = by !== null && order.by === by;
  const sort = !isSorted ? 'none' : order.descending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={by === null ? undefined : sort} className={isNumber ? 'text-right' : ''}>
      {by === null ? (
        words
      ) : (
        <button
          type="button"
          className="rounded hover:text-accent"
          onClick={() => onOrder({ by, descending: isSorted && !order.descending })}
        >
          {words}
          <span aria-hidden="true" className="inline-block w-3 text-center text-accent">
            {isSorted ? (order.descending ? '↓' : '↑') : ''}
          </span>
        </button>
      )}
    </div>
  );
}
