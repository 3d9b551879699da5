import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isTerminal, type Run } from '../../runtime/contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { RunMark } from '../design/state-mark.tsx';
import { clockTime, duration, shortId } from '../design/words.ts';
import { useNow } from '../store/now.ts';
import { go } from '../store/view-store.ts';
import { RecoverButton } from './recover-button.tsx';
import { RevokeMenu } from './revoke-menu.tsx';
import { RunEvidence } from './run-evidence.tsx';
import { RunSituation } from './run-situation.tsx';

/** What the run is, where it stands and why, and what can be done with it. */
export function RunHeader({ run }: { readonly run: Run }) {
  return (
    <header className="flex shrink-0 flex-col gap-2 border-b border-line px-3 pt-2.5 pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate text-[15px] font-semibold">{run.relay}</h2>
        <CopyId id={run.id} />
        <RunMark state={run.state} />
        <Facts run={run} />
      </div>
      <RunSituation run={run} />
      <div role="toolbar" aria-label="commands of the run" className="flex flex-wrap items-center gap-1.5">
        <RecoverButton run={run} />
        <CommandButton command="kill" look="danger" />
        <CommandButton command="cancel" />
        <RevokeMenu run={run} />
        <CommandButton command="fork" />
        <CommandButton command="export" />
      </div>
      <RunEvidence run={run.id} />
    </header>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const { revision, attempts, attemptBudget, recovery, forkedFrom } = run;
  return (
    <dl className="flex flex-wrap items-center gap-x-3 text-quiet tabular-nums">
      <Fact name="rev" value={revision} title="Raised by each transition; commands are decided on one" />
      <Fact
        name="attempt"
        value={`${attempts}/${attemptBudget}`}
        title="Processes that the run had, of those it may have"
      />
      <Deadline run={run} />
      <Fact
        name="recovery"
        value={recovery === 'off' ? 'by hand' : 'immediate'}
        title="What happens when its process dies: it waits for a person, or recovers by itself"
      />
      {forkedFrom !== null && (
        <div className="flex gap-1">
          <dt>forked from</dt>
          <dd>
            <button
              type="button"
              className="font-mono text-accent hover:underline"
              onClick={() => go({ kind: 'run', run: forkedFrom.run })}
            >
              {shortId(forkedFrom.run)}
            </button>{' '}
            at operation {forkedFrom.operation}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Fact({ name, value, title }: { name: string; value: string | number; title: string }) {
  return (
    <div className="flex gap-1" title={title}>
      <dt>{name}</dt>
      <dd className="text-ink">{value}</dd>
    </div>
  );
}

function Deadline({ run }: { readonly run: Run }) {
  const isOver = isTerminal(run.state);
  const now = useNow(1000, !isOver && run.deadlineAt !== null);
  if (isOver || run.deadlineAt === null) {
    const took = run.finishedAt === null ? null : run.finishedAt - (run.startedAt ?? run.createdAt);
    if (took === null) return null;
    return <Fact name="took" value={duration(took)} title="From its first start to its end" />;
  }
  const left = run.deadlineAt - now;
  const value = left <= 0 ? 'passed' : `in ${left > 120_000 ? `${Math.floor(left / 60_000)} min` : duration(left)}`;
  return <Fact name="deadline" value={value} title={`At ${clockTime(run.deadlineAt)}, kept over recoveries`} />;
}

const shownMs = 1500;

function CopyId({ id }: { readonly id: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => void navigator.clipboard.writeText(id).then(() => setCopied(true));
  const Sign = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      title={id}
      aria-label={isCopied ? 'Copied' : `Copy the run's id ${id}`}
      className="inline-flex items-center gap-1.5 rounded px-1 font-mono text-[12px] text-quiet hover:bg-raised hover:text-ink"
      onClick={copy}
    >
      {shortId(id)}
      <Sign size={12} aria-hidden="true" />
    </button>
  );
}
