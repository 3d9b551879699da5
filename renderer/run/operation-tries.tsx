import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { clockTime, duration } from '../design/words.ts';
import type { Try } from '../history/run-history.ts';
import { Part } from './inspector-parts.tsx';
import { WireErrorText } from './wire-error-text.tsx';

/** Failed tries with their own errors. The first and the last are always here; those between on demand. */
export function OperationTries({ tries }: { readonly tries: readonly Try[] }) {
  const [isOpen, setOpen] = useState(false);
  const between = tries.slice(1, -1);
  const [first] = tries;
  const last = tries.length > 1 ? tries.at(-1) : undefined;
  return (
    <Part title={`Failed tries (${tries.length})`}>
      <ol className="flex flex-col gap-2">
        {first !== undefined && <FailedTry of={first} pinned={last === undefined ? null : 'first'} />}
        {between.length > 0 && (
          <li>
            <Button look="quiet" className="px-0!" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'} the {between.length} between
            </Button>
          </li>
        )}
        {isOpen && between.map((one) => <FailedTry key={`${one.attempt} ${one.number}`} of={one} pinned={null} />)}
        {last !== undefined && <FailedTry of={last} pinned="last" />}
      </ol>
    </Part>
  );
}

function FailedTry({ of, pinned }: { readonly of: Try; readonly pinned: 'first' | 'last' | null }) {
  const { number, attempt, at, error, retryInMs } = of;
  return (
    <li className="border-l-2 border-failed/60 pl-2">
      <p className="text-[12px] text-quiet tabular-nums">
        {pinned !== null && <span className="mr-1 font-medium text-ink">{pinned}</span>}
        try {number} · attempt {attempt} · {clockTime(at)} ·{' '}
        {retryInMs === null ? 'no further try' : `next after ${duration(retryInMs)}`}
      </p>
      <WireErrorText error={error} />
    </li>
  );
}
