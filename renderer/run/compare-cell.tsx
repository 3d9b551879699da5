import { operationMarks } from '../design/marks.ts';
import { clockTime, took } from '../design/words.ts';
import type { Cell, CellKind } from '../history/align-attempts.ts';

export const cellWords: Readonly<Record<CellKind, string>> = {
  ran: 'ran',
  again: 'ran again',
  new: 'new',
  reused: 'reused',
  diverged: 'diverged',
};

const looks: Readonly<Record<CellKind, string>> = {
  ran: '',
  again: 'bg-open/5',
  new: 'bg-done/5',
  reused: '',
  diverged: 'bg-uncertain/10',
};

/** What an attempt did with an operation. */
export function CompareCell({ cell }: { readonly cell: Cell | null }) {
  if (cell === null) {
    return (
      <div role="cell" className="flex items-center border-l border-line px-2 text-quiet">
        did not come to it
      </div>
    );
  }
  const { kind, span } = cell;
  const { sign, colour, words } = operationMarks[span.outcome];
  return (
    <div
      role="cell"
      title={`at ${clockTime(span.from)}`}
      className={`flex min-w-0 items-center gap-1.5 border-l border-line px-2 ${looks[kind]}`}
    >
      <span aria-hidden="true" className={colour}>
        {sign}
      </span>
      <span className={`truncate ${kind === 'diverged' ? 'text-uncertain' : ''}`}>
        {cellWords[kind]}
        {span.outcome !== 'reused' && span.outcome !== 'done' && <span className={colour}>, {words}</span>}
      </span>
      {span.outcome !== 'reused' && span.to !== null && (
        <span className="ml-auto shrink-0 text-[12px] text-quiet tabular-nums">{took(span.to - span.from)}</span>
      )}
    </div>
  );
}
