import { operationMarks } from '../design/marks.ts';
import { clockTime, took } from '../design/words.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { Part } from './inspector-parts.tsx';

/** The attempts that came to the operation, with what they did and when. */
export function OperationAttempts({ operation }: { readonly operation: OperationHistory }) {
  const { bodies } = operation;
  const times = bodies === 1 ? 'once' : `${bodies} times`;
  return (
    <Part title="Attempts" aside={<span className="text-[12px] text-quiet">its body was begun {times}</span>}>
      <ul className="tabular-nums">
        {linesOf(operation).map(({ key, attempt, sign, colour, words, from, lasted }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-2">
            <span className="whitespace-nowrap text-quiet">attempt {attempt}</span>
            <span className={colour}>
              <span aria-hidden="true">{sign}</span> {words}
            </span>
            <span className="ml-auto font-mono text-[11.5px] text-quiet">
              {clockTime(from)}
              {lasted !== null && ` · ${took(lasted)}`}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface AttemptLine {
  readonly key: string;
  readonly attempt: number;
  readonly sign: string;
  readonly colour: string;
  readonly words: string;
  readonly from: number;
  /** Milliseconds; null for a moment, and while it goes on. */
  readonly lasted: number | null;
}

/** What the attempts did, in order of time; what a callback found out stands before what came of it. */
function linesOf({ spans, settled }: OperationHistory): AttemptLine[] {
  const lines = spans.map(({ attempt, from, to, begun, outcome, diverged }): AttemptLine => {
    const { sign, colour, words } = operationMarks[outcome];
    return {
      ...{ key: String(begun), attempt, sign, colour, from },
      words: diverged ? 'reused, asked with other arguments' : words,
      lasted: outcome === 'reused' || to === null ? null : to - from,
    };
  });
  if (settled === null) return lines;
  const { sign, colour } = operationMarks.done;
  const words = 'found out by its recover callback';
  const found = { key: 'settled', attempt: settled.attempt, sign, colour, words, from: settled.at, lasted: null };
  return [found, ...lines].sort((a, b) => a.from - b.from);
}
