import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState } from 'react';
import { describeEnd } from '../../runtime/contract/index.ts';
import { duration } from '../design/words.ts';
import { alignAttempts, countCells, lastTwo, type AlignedRow, type Cell } from '../history/align-attempts.ts';
import type { AttemptHistory, RunHistory } from '../history/run-history.ts';
import { select, useView } from '../store/view-store.ts';
import { CompareCell, cellWords } from './compare-cell.tsx';

const rowHeight = 28;
const overscan = 6;
const columns = 'minmax(160px,1fr) minmax(180px,1fr) minmax(180px,1fr)';

/** Two attempts side by side, aligned by operation; on their border who they were and what they died of. */
export function CompareAttempts({ history }: { readonly history: RunHistory }) {
  const [chosen, setChosen] = useState<readonly number[]>(() => lastTwo(history.attempts));
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const all = useMemo(() => alignAttempts(history, chosen), [history, chosen]);
  const rows = useMemo(() => (onlyDifferences ? all.filter(({ differs }) => differs) : all), [all, onlyDifferences]);
  const selected = useView(({ operation }) => operation);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  });
  // Rows that leave the view become those that enter it: nothing is built while scrolling.
  const slots = Math.ceil((virtual.scrollRect?.height ?? 0) / rowHeight) + 2 * overscan + 2;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="grid shrink-0 border-b border-line" style={{ gridTemplateColumns: columns }}>
        <div className="flex flex-col justify-end gap-1 px-2 py-1.5">
          <label className="flex items-center gap-1.5">
            <input
              type="checkbox"
              className="accent-accent"
              checked={onlyDifferences}
              onChange={() => setOnlyDifferences(!onlyDifferences)}
            />
            Only differences
          </label>
          <p className="text-[12px] text-quiet tabular-nums">
            {rows.length} of {all.length} operations
          </p>
        </div>
        {chosen.map((number, column) => (
          <Border
            key={column}
            attempts={history.attempts}
            number={number}
            counts={countCells(all, column)}
            onChoose={(next) => setChosen(chosen.map((one, place) => (place === column ? next : one)))}
          />
        ))}
      </div>
      <div
        ref={scroller}
        role="table"
        tabIndex={0}
        aria-label="Attempts side by side"
        aria-rowcount={rows.length}
        className="min-h-0 flex-1 overflow-auto bg-panel outline-offset-[-2px]"
      >
        <div role="rowgroup" className="relative min-w-[520px]" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && <Row key={index % slots} {...{ row, index, start }} isSelected={row.operation.id === selected} />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const Row = memo(function Row({
  row,
  index,
  start,
  isSelected,
}: {
  row: AlignedRow;
  index: number;
  start: number;
  isSelected: boolean;
}) {
  const { operation, cells } = row;
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      style={{ top: start, gridTemplateColumns: columns }}
      className={`absolute left-0 grid h-7 w-full grid-rows-[100%] items-stretch border-b border-line/60 ${isSelected ? 'bg-accent/10 shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-raised'}`}
    >
      <div role="rowheader" className="flex min-w-0 items-center px-2">
        <button
          type="button"
          className="min-w-0 truncate rounded text-left hover:underline"
          onClick={() => select(operation.id)}
        >
          <span className="mr-2 font-mono text-[12px] text-quiet">{operation.id}</span>
          {operation.name} <span className="text-quiet">{operation.kind}</span>
        </button>
      </div>
      {cells.map((cell: Cell | null, column) => (
        <CompareCell key={column} cell={cell} />
      ))}
    </div>
  );
});

interface BorderProps {
  readonly attempts: readonly AttemptHistory[];
  readonly number: number;
  readonly counts: ReturnType<typeof countCells>;
  readonly onChoose: (number: number) => void;
}

function Border({ attempts, number, counts, onChoose }: BorderProps) {
  const attempt = attempts.find((one) => one.number === number);
  const cause = attempt?.cause ?? null;
  const isDeath = cause !== null && cause.kind !== 'finished' && cause.kind !== 'cancelled';
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  return (
    <div className={`flex min-w-0 flex-col gap-0.5 border-l-2 px-2 py-1.5 ${isDeath ? 'border-kill' : 'border-done'}`}>
      <div className="flex items-center gap-2">
        <select
          aria-label="Attempt to compare"
          className="h-6 rounded border border-line bg-panel px-1 font-semibold"
          value={number}
          onChange={({ target }) => onChoose(Number(target.value))}
        >
          {attempts.map((one) => (
            <option key={one.number} value={one.number}>
              Attempt {one.number}
            </option>
          ))}
        </select>
        <span className="truncate text-quiet tabular-nums">
          {attempt?.process == null ? 'no process' : `pid ${attempt.process.pid}`}
          {attempt?.endedAt != null && ` · lived ${duration(attempt.endedAt - attempt.claimedAt)}`}
        </span>
      </div>
      <p
        className={`truncate text-[12px] ${isDeath ? 'text-kill' : 'text-quiet'}`}
        title={cause === null ? '' : describeEnd(cause)}
      >
        {cause === null ? 'alive' : isDeath ? `⚡ ${describeEnd(cause)}` : describeEnd(cause)}
      </p>
      <p className="truncate text-[12px] text-quiet tabular-nums">
        {said.map(([kind, count]) => `${count} ${cellWords[kind as keyof typeof cellWords]}`).join(' · ')}
      </p>
    </div>
  );
}
