import { useEffect, useRef } from 'react';
import { CommandButton } from '../commands/command-button.tsx';
import { PageSection } from '../design/page-section.tsx';
import { RunMark } from '../design/state-mark.tsx';
import { shortId } from '../design/words.ts';
import { useLab } from '../store/lab-store.ts';
import { go } from '../store/view-store.ts';

interface ScenarioRunsProps {
  readonly scenario: string;
  /** Runs that playing it has started, in order. */
  readonly played: readonly string[];
  readonly shown: string | null;
}

/** Runs of a scenario; one click shows a run beside. The first that is started is shown without one. */
export function ScenarioRuns({ scenario, played, shown }: ScenarioRunsProps) {
  const first = played[0];
  const known = useRef(first);
  useEffect(() => {
    if (first !== undefined && first !== known.current) go({ kind: 'scenario', name: scenario, run: first });
    known.current = first;
  }, [first, scenario]);
  const own = shown !== null && !played.includes(shown) ? shown : null;
  if (played.length === 0 && own === null) return null;
  return (
    <PageSection title="Runs of the scenario">
      <ul className="space-y-0.5">
        {played.map((run) => (
          <li key={run}>
            <RunLine scenario={scenario} run={run} isShown={run === shown} />
          </li>
        ))}
        {own !== null && (
          <li>
            <RunLine scenario={scenario} run={own} isShown note="by you" />
            <OwnRun run={own} />
          </li>
        )}
      </ul>
    </PageSection>
  );
}

function RunLine(props: {
  readonly scenario: string;
  readonly run: string;
  readonly isShown: boolean;
  readonly note?: string;
}) {
  const { scenario, run, isShown, note } = props;
  const state = useLab(({ runs }) => runs[run]?.state);
  const attempts = useLab(({ runs }) => runs[run]?.attempts ?? 0);
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={() => go(isShown ? { kind: 'scenario', name: scenario } : { kind: 'scenario', name: scenario, run })}
      className={`flex w-full flex-wrap items-center gap-x-3 rounded px-2 py-1 text-left ${isShown ? 'bg-accent/12' : 'hover:bg-raised'}`}
    >
      <code className="font-mono">{shortId(run)}</code>
      {state !== undefined && <RunMark state={state} />}
      {attempts > 0 && (
        <span className="text-quiet">
          {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        </span>
      )}
      {note !== undefined && <span className="text-quiet">{note}</span>}
      <span className="ml-auto text-[12px] text-quiet">{isShown ? 'shown beside' : 'show beside'}</span>
    </button>
  );
}

/** What a person does next with the run that they crash themselves. */
function OwnRun({ run }: { readonly run: string }) {
  const state = useLab(({ runs }) => runs[run]?.state);
  const next = {
    interrupted: 'Its process was killed. Press Recover: what is checkpointed is reused.',
    needs_reconciliation: 'It was killed where nobody knows whether the action took effect: decide it.',
    succeeded: 'It ended as it would have without the crash.',
  };
  if (state === undefined || !(state in next)) return null;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2 px-2">
      <p className="text-quiet">{next[state as keyof typeof next]}</p>
      {state === 'interrupted' && <CommandButton command="recover" look="primary" />}
      {state === 'needs_reconciliation' && <CommandButton command="reconcile" look="primary" />}
    </div>
  );
}
