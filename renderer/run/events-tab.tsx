import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { filterEvents, sequenceWords, type EventFilter } from '../events/filter-events.ts';
import { useOpenRun } from '../store/open-run.ts';
import { EventRow } from './events-row.tsx';
import { EventsFilter } from './events-filter.tsx';

const rowHeight = 26;
const overscan = 8;
/** This near to the end counts as at the end, in pixels. */
const nearEnd = 8;

/** Every event of the run in the order of their numbers. */
export function EventsTab({ run }: { readonly run: string }) {
  const history = useOpenRun((open) => open.history);
  const error = useOpenRun((open) => open.error);
  const isComplete = useOpenRun((open) => open.isComplete);
  const [filter, setFilter] = useState<EventFilter>({ type: null, operation: null, text: '' });
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [follows, setFollows] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  /** Where it was last: to tell a person who scrolls up from a list that grows. */
  const lastTop = useRef(0);

  const { events } = history;
  const shown = useMemo(() => filterEvents(events, filter), [events, filter]);
  const words = useMemo(() => sequenceWords(events), [events]);
  const operations = useMemo(() => history.operations.map(({ id }) => id), [history.operations]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => shown[index]?.sequence ?? index,
    overscan,
  });
  // Before the frame is drawn, and without asking for the layout that the frame makes anyhow.
  const height = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (follows && scroller.current !== null) scroller.current.scrollTop = height;
  }, [follows, height]);
  const toggle = useCallback(
    (sequence: number, place: number): void => {
      setOpened((open) => open.symmetricDifference(new Set([sequence])));
      setFollows(false);
      // An open row is measured; a closed one has the height of all.
      virtual.resizeItem(place, rowHeight);
    },
    [virtual],
  );

  if (history.run !== run || (events.length === 0 && !isComplete)) {
    return error === null ? <Loading what="the events" /> : <ErrorView error={error} />;
  }
  if (events.length === 0) return <Empty title="The run has no events" />;

  function onScroll({ currentTarget: at }: { currentTarget: HTMLDivElement }): void {
    if (at.scrollTop < lastTop.current - 1 && at.scrollHeight - at.scrollTop - at.clientHeight > nearEnd)
      setFollows(false);
    lastTop.current = at.scrollTop;
  }
  // Rows that leave the view become those that enter it: nothing is built while events stream in.
  const slots = Math.ceil((virtual.scrollRect?.height ?? 0) / rowHeight) + 2 * overscan + 2;
  return (
    <section aria-label="Events" className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-1.5 text-xs">
        <EventsFilter {...{ events, operations, filter }} onChange={setFilter} />
        <span role="status" className="text-quiet tabular-nums">
          {shown.length === events.length ? `${events.length} events` : `${shown.length} of ${events.length} events`} ·{' '}
          {words}
        </span>
        <label className="ml-auto inline-flex items-center gap-2">
          <input
            type="checkbox"
            role="switch"
            className="accent-accent"
            checked={follows}
            onChange={({ target }) => setFollows(target.checked)}
          />
          Follow the end
        </label>
        <Button
          onClick={() => void navigator.clipboard.writeText(shown.map((event) => JSON.stringify(event)).join('\n'))}
          title="One JSON object a line"
        >
          Copy {shown.length === events.length ? 'all' : 'these'}
        </Button>
      </header>
      {error !== null && <ErrorView error={error} />}
      {shown.length === 0 ? (
        <Empty title="No event passes the filter" />
      ) : (
        <div ref={scroller} onScroll={onScroll} className="min-h-0 flex-1 overflow-auto bg-panel">
          <ol aria-label="Events of the run" className="relative min-w-[640px]" style={{ height }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const event = shown[index];
              if (event === undefined) return null;
              return (
                <EventRow
                  key={opened.has(event.sequence) ? `open ${event.sequence}` : index % slots}
                  {...{ event }}
                  place={index}
                  isOpen={opened.has(event.sequence)}
                  top={start}
                  measure={virtual.measureElement}
                  onToggle={toggle}
                />
              );
            })}
          </ol>
        </div>
      )}
    </section>
  );
}
