import { operationMarks } from '../design/marks.ts';
import { clockTime, took } from '../design/words.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { Part } from './inspector-parts.tsx';

/** The attempts that came to the operation, with what they did and when. */
export function OperationAttempts({ operation: { spans, bodies, settled } }: { readonly operation: OperationHistory }) {
  const times = bodies === 1 ? 'once' : `${bodies} times`;
  return (
    <Part title="Attempts" aside={<span className="text-[12px] text-quiet">its body was begun {times}</span>}>
      <ul className="tabular-nums">
        {spans.map(({ attempt, from, to, begun, outcome, diverged }) => {
          const { sign, colour, words } = operationMarks[outcome];
          return (
            <li key={begun} className="flex flex-wrap items-baseline gap-x-2">
              <span className="whitespace-nowrap text-quiet">attempt {attempt}</span>
              <span className={colour}>
                <span aria-hidden="true">{sign}</span> {diverged ? 'reused, asked with other arguments' : words}
              </span>
              <span className="ml-auto font-mono text-[11.5px] text-quiet">
                {clockTime(from)}
                {outcome !== 'reused' && to !== null && ` · ${took(to - from)}`}
              </span>
            </li>
          );
        })}
        {settled !== null && (
          <li className="flex flex-wrap items-baseline gap-x-2">
            <span className="whitespace-nowrap text-quiet">attempt {settled.attempt}</span>
            <span className="text-done">
              <span aria-hidden="true">{operationMarks.done.sign}</span> found out by its recover callback
            </span>
            <span className="ml-auto font-mono text-[11.5px] text-quiet">{clockTime(settled.at)}</span>
          </li>
        )}
      </ul>
    </Part>
  );
}
