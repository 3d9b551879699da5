import { useMemo } from 'react';
import { useAnswer } from '../design/answer.ts';
import { RunMark } from '../design/state-mark.tsx';
import { ErrorView } from '../design/states.tsx';
import { age, shortId } from '../design/words.ts';
import { orderedRuns } from '../side/run-order.ts';
import { useLab } from '../store/lab-store.ts';
import { useNow } from '../store/now.ts';
import { go } from '../store/view-store.ts';

const most = 50;

/** The latest runs of a relay, live. */
export function RelayRuns({ relay }: { readonly relay: string }) {
  const mirrored = useLab(({ runs }) => runs);
  // The latest may be older than the runs that the page holds.
  const listed = useAnswer('run/list', { before: null, limit: most, relay, state: null });
  const now = useNow(5000);
  const rows = useMemo(() => {
    const known = Object.fromEntries((listed.value ?? []).map((run) => [run.id, run]));
    return orderedRuns({ ...known, ...mirrored }, { state: null, text: '' })
      .filter((run) => run.relay === relay)
      .slice(0, most);
  }, [listed.value, mirrored, relay]);
  if (listed.error !== null && rows.length === 0) return <ErrorView error={listed.error} retry={listed.again} />;
  if (rows.length === 0)
    return <p className="text-quiet">{listed.value === null ? 'Reading…' : 'It has not run yet.'}</p>;
  return (
    <>
      <ul>
        {rows.map(({ id, state, attempts, createdAt, reason }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => go({ kind: 'run', run: id })}
              className="grid w-full grid-cols-[7rem_11rem_6rem_1fr_3.5rem] items-center gap-2 rounded px-1 py-0.5 text-left hover:bg-raised"
            >
              <code className="font-mono">{shortId(id)}</code>
              <RunMark state={state} />
              <span className="text-quiet">
                {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
              </span>
              <span className="truncate text-quiet" title={reason ?? undefined}>
                {reason}
              </span>
              <span className="text-right text-quiet tabular-nums">{age(now - createdAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length === most && (
        <p className="mt-1 text-quiet">The latest {most}; older ones are in the list of runs.</p>
      )}
    </>
  );
}
