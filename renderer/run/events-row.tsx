import { memo, type Ref } from 'react';
import type { LabEvent } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { clockTime } from '../design/words.ts';
import { eventWords } from '../events/event-words.ts';
import { select } from '../store/view-store.ts';

interface EventRowProps {
  readonly event: LabEvent;
  readonly isOpen: boolean;
  readonly place: number;
  readonly top: number;
  readonly measure: Ref<HTMLLIElement>;
  onToggle(this: void, sequence: number, place: number): void;
}

const looks: readonly [begin: string, look: string][] = [
  ['crash-point.fired', 'text-kill'],
  ['crash-point', 'text-quiet'],
  ['attempt', 'text-ink'],
  ['run', 'text-accent'],
  ['operation.checkpointed', 'text-done'],
  ['operation.reused', 'text-reused'],
  ['operation.try', 'text-failed'],
  ['operation.decided', 'text-uncertain'],
  ['operation', 'text-open'],
];

/** One event: number, time, type, attempt, operation, what it says; its data when it is open. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, isOpen, place, top, measure, onToggle } = props;
  const { sequence, at, type, attempt, operation } = event;
  const look = looks.find(([begin]) => type.startsWith(begin))?.[1] ?? 'text-quiet';
  const copy = (text: string): void => void navigator.clipboard.writeText(text);
  return (
    <li
      ref={isOpen ? measure : null}
      data-index={place}
      className="absolute inset-x-0 border-b border-line/60 contain-content"
      style={{ top }}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(sequence, place)}
        className="flex h-[25px] w-full items-center gap-3 px-3 text-left text-xs -outline-offset-2 hover:bg-raised"
      >
        <span aria-hidden="true" className="w-2 text-quiet">
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="w-12 shrink-0 text-right font-mono text-[11px] text-quiet tabular-nums">#{sequence}</span>
        <time className="w-[86px] shrink-0 font-mono text-[11px] text-quiet tabular-nums">{clockTime(at)}</time>
        <span className={`w-44 shrink-0 truncate font-mono text-[11px] ${look}`}>{type}</span>
        <span className="w-10 shrink-0 truncate text-quiet">{attempt === null ? '' : `att ${attempt}`}</span>
        <span className="w-10 shrink-0 truncate font-mono text-[11px]">{operation}</span>
        <span className="min-w-0 flex-1 truncate">{eventWords(event)}</span>
      </button>
      {isOpen && (
        <div className="border-t border-line/60 bg-raised/50 px-3 py-2 pl-[76px]">
          <pre className="max-h-96 overflow-auto font-mono text-[11px] whitespace-pre-wrap" tabIndex={0}>
            {JSON.stringify(event.data, null, 2)}
          </pre>
          <p className="mt-2 flex gap-2">
            <Button onClick={() => copy(JSON.stringify(event.data, null, 2))}>Copy data</Button>
            <Button onClick={() => copy(JSON.stringify(event))}>Copy event</Button>
            {operation !== null && <Button onClick={() => select(operation)}>Inspect operation {operation}</Button>}
          </p>
        </div>
      )}
    </li>
  );
});
