import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { EventType } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { openFile } from '../files/chosen-file.ts';
import { useLiveAnswer } from '../store/live-answer.ts';
import { useOpenRun } from '../store/open-run.ts';
import { select, useView } from '../store/view-store.ts';
import { traceRows, treeMove } from '../trace/trace-rows.ts';
import { traceTree } from '../trace/trace-tree.ts';
import { traceColumns, TraceRowView } from './trace-row.tsx';

const turns: ReadonlySet<EventType> = new Set(['receipt.added']);
const traceFile = 'relay_trace.json';
const rowHeight = 26;
/** Of the columns' names, that stay in view. */
const headHeight = 26;

/** The run as a tree of attempts, operations, tries and receipts, with their times. */
export function TraceTab({ run }: { readonly run: string }) {
  const history = useOpenRun((open) => open.history);
  const receipts = useLiveAnswer('run/receipts', { run, operation: null }, turns);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const selected = useView(({ operation }) => operation);
  const scroller = useRef<HTMLDivElement>(null);

  const tree = useMemo(() => traceTree(history, receipts.answer ?? []), [history, receipts.answer]);
  const operations = history.operations.length;
  const rows = useMemo(() => traceRows(tree, toggled, operations), [tree, toggled, operations]);
  const now = history.events.at(-1)?.at ?? 0;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingEnd: headHeight,
  });

  if (receipts.answer === null && receipts.error !== null) {
    return <ErrorView error={receipts.error} retry={receipts.retry} />;
  }
  if (receipts.answer === null || history.run !== run) return <Loading what="the trace" />;
  if (rows.length === 0) return <Empty title="Nothing has happened in this run yet" />;

  function toggle(key: string): void {
    setToggled((keys) => new Set(keys).symmetricDifference(new Set([key])));
  }
  function press(place: number): void {
    setActive(place);
    const operation = rows[place]?.node.operation;
    if (operation != null) select(operation);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const move = treeMove(event.key, rows, active, page);
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'toggle') toggle(move.key);
    else if (move.kind === 'select') press(active);
    else {
      setActive(move.to);
      virtual.scrollToIndex(move.to);
    }
  }
  const hasFile = history.events.some(({ type, data }) => type === 'artifact.added' && isTraceFile(data));
  return (
    <section aria-label="Trace" className="flex h-full flex-col">
      <header className="flex items-center gap-3 border-b border-line bg-panel px-3 py-1.5 text-xs text-quiet">
        {history.attempts.length} attempts · {operations} operations · {receipts.answer.length} receipts
        <Button
          className="ml-auto"
          disabled={!hasFile}
          title={
            hasFile ? 'The same as a file, written when the run came to rest' : 'Written when the run comes to rest'
          }
          onClick={() => openFile(run, traceFile)}
        >
          Open {traceFile}
        </Button>
      </header>
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Trace of the run"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={`trace-row-${Math.min(active, rows.length - 1)}`}
        tabIndex={0}
        className="group min-h-0 flex-1 overflow-y-auto bg-panel focus-visible:-outline-offset-2"
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="sticky top-0 z-10">
          <div
            role="row"
            aria-rowindex={1}
            className="grid items-center gap-3 border-b border-line bg-panel px-3 text-[11px] font-medium text-quiet"
            style={{ gridTemplateColumns: traceColumns, height: headHeight }}
          >
            <span role="columnheader" className="pl-6">
              What
            </span>
            <span role="columnheader">Detail</span>
            <span role="columnheader">Begun</span>
            <span role="columnheader" className="text-right">
              Took
            </span>
            <span role="columnheader">In its attempt</span>
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TraceRowView
                key={row.node.key}
                {...{ row, now }}
                place={index}
                isActive={index === active}
                isSelected={row.node.kind === 'operation' && row.node.operation === selected}
                style={{ top: start, height: rowHeight }}
                onPress={press}
                onToggle={toggle}
              />
            );
          })}
        </div>
      </div>
    </section>
  );
}

function isTraceFile(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'path' in data && data.path === traceFile;
}
