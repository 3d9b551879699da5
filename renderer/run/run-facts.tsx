import { describeEnd, type Run } from '../../runtime/contract/index.ts';
import { RunMark } from '../design/state-mark.tsx';
import { clockTime, duration, shortId } from '../design/words.ts';
import type { AttemptHistory } from '../history/run-history.ts';
import { useOpenRun } from '../store/open-run.ts';
import { go } from '../store/view-store.ts';
import { Facts, Part } from './inspector-parts.tsx';
import { CopyButton, JsonText } from './json-text.tsx';

/** What is known of the run as a whole. */
export function RunFacts({ run }: { readonly run: Run }) {
  const attempts = useOpenRun(({ history }) => history.attempts);
  const { forkedFrom, error } = run;
  return (
    <>
      <header className="px-3 py-2">
        <h2 className="text-[14px] font-semibold">{run.relay}</h2>
        <p className="flex items-center gap-2 text-quiet">
          run <code className="truncate font-mono text-[12px]">{run.id}</code>
        </p>
      </header>
      <Part title="Run">
        <Facts
          rows={[
            ['state', <RunMark key="state" state={run.state} />],
            ...(run.reason === null ? [] : ([['reason', run.reason]] as const)),
            ['caller', run.caller],
            ['created', clockTime(run.createdAt)],
            ['started', run.startedAt === null ? 'not yet' : clockTime(run.startedAt)],
            ['ended', run.finishedAt === null ? 'not yet' : clockTime(run.finishedAt)],
            ['deadline', run.deadlineAt === null ? duration(run.deadlineMs) : clockTime(run.deadlineAt)],
            ['durability', run.durability],
            ['last event', run.lastSequence],
            ...(forkedFrom === null ? [] : ([['forked from', <Origin key="from" {...forkedFrom} />]] as const)),
            ...(run.draftFolder === null
              ? []
              : ([
                  [
                    'draft of',
                    <code key="draft" className="font-mono text-[12px]">
                      {run.draftFolder}
                    </code>,
                  ],
                ] as const)),
          ]}
        />
      </Part>
      <Part title="Attempts">
        {attempts.length === 0 && <p className="text-quiet">none was started yet</p>}
        <ul className="flex flex-col gap-1">
          {attempts.map((attempt) => (
            <AttemptFacts key={attempt.number} attempt={attempt} />
          ))}
        </ul>
      </Part>
      <Part title="Input" aside={<CopyButton text={run.input} what="the input" />}>
        <JsonText value={run.input} label="input" />
      </Part>
      {run.state === 'succeeded' && (
        <Part title="Result" aside={<CopyButton text={JSON.stringify(run.result)} what="the result" />}>
          <JsonText value={JSON.stringify(run.result)} label="result" />
        </Part>
      )}
      {error !== null && (
        <Part title="Error">
          <p className="[overflow-wrap:anywhere]">
            <code className="mr-1.5 font-mono text-[12px] text-failed">
              {'next' in error ? error.code : error.name}
            </code>
            {error.message}
          </p>
          {'next' in error && <p className="text-quiet">{error.next}</p>}
        </Part>
      )}
      <Part title="Bindings">
        <Facts
          rows={Object.entries(run.bindings).map(([name, value]) => [
            name,
            <code key={name} title={String(value)} className="block truncate font-mono text-[12px]">
              {String(value)}
            </code>,
          ])}
        />
        <p className="mt-1 text-[12px] text-quiet">A run recovers only while none of these has changed.</p>
      </Part>
    </>
  );
}

function Origin({ run, operation }: { readonly run: string; readonly operation: string }) {
  return (
    <>
      <button
        type="button"
        className="font-mono text-[12px] text-accent hover:underline"
        onClick={() => go({ kind: 'run', run })}
      >
        {shortId(run)}
      </button>{' '}
      at operation {operation}
    </>
  );
}

function AttemptFacts({ attempt }: { readonly attempt: AttemptHistory }) {
  const { number, process, claimedAt, spawnedAt, endedAt, cause, reused } = attempt;
  const isDeath = cause !== null && cause.kind !== 'finished' && cause.kind !== 'cancelled';
  return (
    <li className={`border-l-2 pl-2 ${isDeath ? 'border-kill' : cause === null ? 'border-open' : 'border-done'}`}>
      <p className="tabular-nums">
        <span className="font-medium">Attempt {number}</span>{' '}
        <span className="text-quiet">
          {process === null ? 'no process' : `pid ${process.pid}`} · {clockTime(claimedAt)}
          {endedAt !== null && ` · lived ${duration(endedAt - (spawnedAt ?? claimedAt))}`}
          {reused > 0 && ` · ${reused} reused`}
        </span>
      </p>
      <p className={isDeath ? 'text-kill' : 'text-quiet'}>{cause === null ? 'alive' : describeEnd(cause)}</p>
    </li>
  );
}
