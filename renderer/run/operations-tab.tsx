import { useMemo, useState } from 'react';
import { Empty, ErrorView } from '../design/states.tsx';
import { arrangeRows, type Order, type RowFilter } from '../history/operation-rows.ts';
import { useOpenRun } from '../store/open-run.ts';
import { CompareAttempts } from './compare-attempts.tsx';
import { LoadingHistory } from './loading-history.tsx';
import { OperationsFilter } from './operations-filter.tsx';
import { OperationsGrid } from './operations-grid.tsx';
import { useUncertain } from './uncertain-operations.ts';

/** Every operation of the run, or its attempts side by side. */
export function OperationsTab({ run }: { readonly run: string }) {
  const { error, isComplete, history } = useOpenRun();
  const uncertain = useUncertain(({ ids }) => ids);
  const [isComparing, setComparing] = useState(false);
  const [filter, setFilter] = useState<RowFilter>({ kind: null, state: null, text: '' });
  const [order, setOrder] = useState<Order>({ by: 'id', descending: false });
  const { operations } = history;
  const rows = useMemo(() => arrangeRows(operations, filter, order, uncertain), [operations, filter, order, uncertain]);
  if (error !== null) return <ErrorView error={error} />;
  if (history.run !== run || !isComplete) return <LoadingHistory run={run} />;
  if (operations.length === 0) {
    return (
      <Empty title="The relay has not begun an operation yet">
        <p>Steps, agent and MCP calls, sleeps and messages appear here as they begin.</p>
      </Empty>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        role="toolbar"
        aria-label="operations"
        className="flex flex-wrap items-center gap-2 border-b border-line px-2 py-1"
      >
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-accent"
            checked={isComparing}
            disabled={history.attempts.length < 2}
            onChange={() => setComparing(!isComparing)}
          />
          Compare attempts
        </label>
        {!isComparing && <OperationsFilter filter={filter} onChange={setFilter} operations={operations} />}
        {!isComparing && (
          <p role="status" className="ml-auto text-quiet tabular-nums">
            {rows.length === operations.length ? operations.length : `${rows.length} of ${operations.length}`}{' '}
            operations
          </p>
        )}
      </div>
      {isComparing ? (
        <CompareAttempts history={history} />
      ) : (
        <OperationsGrid rows={rows} order={order} onOrder={setOrder} history={history} />
      )}
    </div>
  );
}
