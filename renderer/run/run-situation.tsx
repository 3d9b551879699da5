import { isTerminal, type Run } from '../../runtime/contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { clockTime, duration } from '../design/words.ts';
import { progressOf, type Progress } from '../history/progress.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { verdictOf } from '../history/verdict.ts';
import { act } from '../lab/act.ts';
import { useNow } from '../store/now.ts';
import { useOpenRun } from '../store/open-run.ts';
import { select } from '../store/view-store.ts';

/** Why the run stands where it stands, from its evidence; and once it is over, what that proves. */
export function RunSituation({ run }: { readonly run: Run }) {
  const { history, isComplete } = useOpenRun();
  const now = useNow(250, !isTerminal(run.state));
  // A part of the history would tell another story.
  if (history.run !== run.id || !isComplete) return <p className="h-7" />;
  const progress = progressOf(run.state, history, now);
  return (
    <div role="status" aria-live="off" className="flex min-h-7 items-center gap-2">
      {progress.kind === 'over' ? (
        <Outcome run={run} />
      ) : (
        <Standing run={run.id} reason={run.reason} {...{ progress, now }} />
      )}
    </div>
  );
}

function Outcome({ run }: { readonly run: Run }) {
  const attempts = useOpenRun(({ history }) => history.attempts);
  const verdict = verdictOf(run.state, attempts);
  if (verdict === null) {
    return (
      <p className={run.state === 'failed' ? 'text-failed' : 'text-quiet'}>
        {run.error?.message ?? run.reason ?? ''}
        {run.error !== null && 'next' in run.error && <span className="text-quiet"> {run.error.next}</span>}
      </p>
    );
  }
  return (
    <>
      {verdict.proved.map((what) => (
        <span key={what} className="shrink-0 rounded bg-done/15 px-1.5 py-0.5 text-[12px] font-medium text-done">
          proved: {what}
        </span>
      ))}
      <p className="text-quiet">{verdict.words}</p>
    </>
  );
}

interface StandingProps {
  readonly run: string;
  readonly reason: string | null;
  readonly progress: Progress;
  readonly now: number;
}

function Standing({ run, reason, progress, now }: StandingProps) {
  switch (progress.kind) {
    case 'over':
      return null;
    case 'queued':
      return <p>In the queue: no process was started for the next attempt yet.</p>;
    case 'starting':
      return <p>The process is starting, for {since(progress.since, now)}.</p>;
    case 'working': {
      const [first, ...others] = progress.operations;
      return (
        <p>
          At work on <Name operation={first} />
          {others.length > 0 && ` and ${others.length} more`}, for {since(progress.since, now)}.
        </p>
      );
    }
    case 'between':
      return <p className="text-quiet">The relay’s own code is at work, between operations.</p>;
    case 'retrying':
      return (
        <>
          <p>
            <span className="font-medium text-waiting">Retrying</span> <Name operation={progress.operation} />: try{' '}
            {progress.nextTry} in <span className="tabular-nums">{duration(Math.max(0, progress.at - now))}</span>,
            after <q className="text-failed">{progress.error}</q>
          </p>
          <Button onClick={() => void act('run/retry-now', { run, operation: progress.operation.id })}>
            Retry now
          </Button>
        </>
      );
    case 'person':
    case 'message':
    case 'sleep':
      return (
        <p>
          <span className="font-medium text-waiting">{waitWords[progress.kind]}</span>{' '}
          <Name operation={progress.operation} />, since {clockTime(progress.since)} ({since(progress.since, now)}).
        </p>
      );
    case 'stuck':
      return (
        <p className="text-kill">
          <span className="font-medium">No progress since {clockTime(progress.since)}</span> (
          {since(progress.since, now)}):{' '}
          {progress.operation === null ? (
            'no operation is open; the relay’s own code is at work or hangs.'
          ) : (
            <>
              <Name operation={progress.operation} /> was begun and is not done.
            </>
          )}
        </p>
      );
    case 'interrupted':
      return (
        <p>
          <span className="font-medium text-kill">Interrupted.</span> {sentence(reason)} Recover it to go on from its
          checkpoints.
        </p>
      );
    case 'reconciliation':
      return (
        <>
          <p className="min-w-0 flex-1">
            <span className="font-medium text-uncertain">A person has to decide.</span> {sentence(reason)}
          </p>
          <CommandButton command="reconcile" look="primary" className="h-9! px-4! text-[14px]!" />
        </>
      );
    case 'cancelling':
      return (
        <p className="text-waiting">
          Cancel was asked for; the run ends when its step does, or is killed after the grace time.
        </p>
      );
  }
}

const waitWords = {
  person: 'Waiting for a person at',
  message: 'Waiting for a message at',
  sleep: 'Asleep in',
} as const;

function Name({ operation }: { readonly operation: OperationHistory | undefined }) {
  if (operation === undefined) return null;
  return (
    <button type="button" className="font-medium text-accent hover:underline" onClick={() => select(operation.id)}>
      {operation.id} · {operation.name}
    </button>
  );
}

function since(from: number, now: number): string {
  const ms = Math.max(0, now - from);
  return ms < 1000 ? 'less than a second' : ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}

/** A reason as it stands in the ledger, as a sentence. */
function sentence(reason: string | null): string {
  return reason === null ? '' : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
