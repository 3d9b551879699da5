import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Plus } from 'lucide-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { asLabError, type LabError, type Run, type RunState } from '../../runtime/contract/index.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { giveCommand } from '../commands/commands.ts';
import { runMarks } from '../design/marks.ts';
import { ErrorView } from '../design/states.tsx';
import { age, shortId } from '../design/words.ts';
import { useLab } from '../store/lab-store.ts';
import { readOlderRuns } from '../store/mirror.ts';
import { useNow } from '../store/now.ts';
import { go, runInView, useView } from '../store/view-store.ts';
import { orderedRuns } from './run-order.ts';
import { Row, RowButton } from './section.tsx';

const rowHeight = 26;
const states = Object.keys(runMarks) as RunState[];

/** All runs, the newest first; older ones are read when the list comes to its end. */
export function RunList() {
  const runs = useLab(({ runs }) => runs);
  const [text, setText] = useState('');
  const [state, setState] = useState<RunState | null>(null);
  const rows = useMemo(() => orderedRuns(runs, { state, text }), [runs, state, text]);
  const isFiltered = state !== null || text.trim() !== '';
  return (
    <section aria-label="Runs" className="flex h-full min-h-0 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-1 pr-1 pl-2.5">
        <h2 className="flex-1 text-[11px] font-semibold tracking-wider text-quiet uppercase">
          Runs{' '}
          <span className="font-normal tabular-nums" aria-live="off">
            {isFiltered ? `${rows.length} found` : rows.length}
          </span>
        </h2>
        <RowButton label="New run…" isDisabled={!useEnabled('new-run')} onPress={() => giveCommand('new-run')}>
          <Plus size={14} aria-hidden="true" />
        </RowButton>
      </div>
      <div className="flex shrink-0 gap-1 px-2 pb-1.5">
        <input
          type="search"
          aria-label="Search runs by id or relay"
          placeholder="id or relay"
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="h-6.5 min-w-0 flex-1 rounded border border-line bg-page px-1.5 placeholder:text-quiet"
        />
        <select
          aria-label="Show runs in state"
          value={state ?? ''}
          onChange={({ target }) => setState(states.find((one) => one === target.value) ?? null)}
          className="h-6.5 w-24 rounded border border-line bg-page px-0.5"
        >
          <option value="">all states</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {runMarks[one].words}
            </option>
          ))}
        </select>
      </div>
      <Rows rows={rows} isFiltered={isFiltered} />
    </section>
  );
}

function Rows({ rows, isFiltered }: { readonly rows: readonly Run[]; readonly isFiltered: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const now = useNow(5000);
  const hasOlder = useLab(({ hasOlderRuns, connection }) => hasOlderRuns && connection.state === 'open');
  const isRead = useLab(({ info }) => info !== null);
  const { error, pages, read } = useOlderRuns();
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  const items = list.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= rows.length - 1;
  useEffect(() => {
    if (hasOlder && isAtEnd && error === null) read();
  }, [hasOlder, isAtEnd, rows.length, pages, error, read]);
  return (
    <div ref={place} tabIndex={rows.length === 0 ? -1 : 0} className="min-h-0 flex-1 overflow-y-auto px-1">
      {rows.length === 0 && isRead && !hasOlder && (
        <p className="px-2 py-3 text-quiet">
          {isFiltered ? 'No run fits.' : 'No run yet: play a scenario, or start one with “New run…”.'}
        </p>
      )}
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const run = rows[index];
          return (
            run !== undefined && (
              <li
                key={key}
                aria-setsize={hasOlder ? -1 : rows.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0"
                style={{ top: start, height: rowHeight }}
              >
                <RunRow run={run} now={now} />
              </li>
            )
          );
        })}
      </ul>
      {error !== null && <ErrorView error={error} retry={read} />}
    </div>
  );
}

/** Reads older runs a page at a time. `pages` counts what was read: the filter may hide a page whole. */
function useOlderRuns(): { readonly error: LabError | null; readonly pages: number; readonly read: () => void } {
  const [error, setError] = useState<LabError | null>(null);
  const [pages, setPages] = useState(0);
  const isReading = useRef(false);
  const read = useCallback(() => {
    if (isReading.current) return;
    isReading.current = true;
    setError(null);
    readOlderRuns()
      .then(() => setPages((before) => before + 1))
      .catch((thrown: unknown) => setError(asLabError(thrown)))
      .finally(() => void (isReading.current = false));
  }, []);
  return { error, pages, read };
}

function RunRow({ run: { id, relay, state, createdAt }, now }: { readonly run: Run; readonly now: number }) {
  const isCurrent = useView(({ place }) => runInView(place) === id);
  const { sign, colour, words } = runMarks[state];
  return (
    <Row isCurrent={isCurrent} title={`${words} · ${id}`} onOpen={() => go({ kind: 'run', run: id })}>
      <span className={`w-3.5 shrink-0 text-center ${colour}`}>
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{words}</span>
      </span>
      <span className="truncate">{relay}</span>
      <code className="min-w-0 shrink-0 font-mono text-[11px] text-quiet">{shortId(id)}</code>
      <span className="ml-auto shrink-0 pr-1 text-[11px] text-quiet tabular-nums">{age(now - createdAt)}</span>
    </Row>
  );
}
