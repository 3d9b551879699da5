import { Crosshair, Play, Square } from 'lucide-react';
import type { ScenarioProgress, ScenarioRow } from '../../runtime/contract/index.ts';
import { cancelScenario, crashItYourself, playScenario } from '../commands/play-scenario.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { PageSection } from '../design/page-section.tsx';
import { Empty, Loading } from '../design/states.tsx';
import { duration } from '../design/words.ts';
import { useLab } from '../store/lab-store.ts';
import { useNow } from '../store/now.ts';
import { EvidenceList } from './evidence-list.tsx';
import { isUnderWay } from './scenario-mark.tsx';
import { ScenarioRuns } from './scenario-runs.tsx';
import { Verdict } from './verdict.tsx';

/** A scenario: what it shows, its button, and the evidence as it comes in. */
export function ScenarioView({ name, run }: { readonly name: string; readonly run: string | null }) {
  const scenario = useLab(({ scenarios }) => scenarios.find((one) => one.name === name));
  const isRead = useLab(({ info }) => info !== null);
  const progress = useLab(({ progress }) => progress[name]) ?? null;
  if (scenario === undefined) {
    return isRead ? (
      <Empty title={`There is no scenario ${name}`}>Choose one at the left.</Empty>
    ) : (
      <Loading what="the scenarios" />
    );
  }
  const evidence = progress?.evidence ?? scenario.expects.map((one) => ({ ...one, actual: null, ok: null }));
  const found = evidence.filter(({ ok }) => ok !== null).length;
  return (
    <article aria-label={`scenario ${name}`} className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl px-5 pt-4 pb-8">
        <Head scenario={scenario} />
        <Actions scenario={scenario} progress={progress} />
        {progress !== null && <Verdict progress={progress} />}
        <ScenarioRuns scenario={name} played={progress?.runs ?? []} shown={run} />
        <PageSection
          title="Expected evidence"
          tools={
            <span className="text-quiet tabular-nums">
              {found} of {evidence.length}
            </span>
          }
        >
          <EvidenceList evidence={evidence} />
        </PageSection>
      </div>
    </article>
  );
}

function Head({ scenario: { name, title, relay, crashPlan } }: { readonly scenario: ScenarioRow }) {
  return (
    <header>
      <h1 className="text-[17px] font-semibold tracking-tight">{name}</h1>
      <p className="mt-1 text-[14px]">{title.charAt(0).toUpperCase() + title.slice(1)}.</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-quiet">
        <span>
          relay <code className="font-mono text-ink">{relay}</code>
        </span>
        <span>
          {crashPlan.length === 0 ? (
            'no planned crash'
          ) : (
            <>
              crash plan{' '}
              {crashPlan.map((point) => (
                <code key={point} className="mr-1.5 font-mono text-kill">
                  <span aria-hidden="true">⚡</span> {point}
                </code>
              ))}
            </>
          )}
        </span>
      </p>
    </header>
  );
}

interface ActionsProps {
  readonly scenario: ScenarioRow;
  readonly progress: ScenarioProgress | null;
}

function Actions({ scenario: { name, crashPlan }, progress }: ActionsProps) {
  const canPlay = useEnabled('play-all');
  const state = progress?.state ?? 'not played';
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      {isUnderWay(state) ? (
        <Button
          look="danger"
          className="h-9 px-4 text-[14px]"
          disabled={!canPlay}
          title="What it has left running is killed; the evidence so far stays"
          onClick={() => void cancelScenario(name)}
        >
          <Square size={13} aria-hidden="true" /> Cancel
        </Button>
      ) : (
        <Button
          look="primary"
          className="h-9 px-4 text-[14px]"
          disabled={!canPlay}
          onClick={() => void playScenario(name)}
        >
          <Play size={14} aria-hidden="true" /> {state === 'not played' ? 'Play' : 'Play again'}
        </Button>
      )}
      {crashPlan.length > 0 && (
        <Button
          className="h-9 px-3"
          disabled={!canPlay}
          title={`Starts the relay with ${crashPlan.join(', ')}; you press Recover`}
          onClick={() => void crashItYourself(name)}
        >
          <Crosshair size={14} aria-hidden="true" /> Start and crash it yourself
        </Button>
      )}
      {progress?.startedAt != null && <Elapsed from={progress.startedAt} to={progress.finishedAt} />}
    </div>
  );
}

function Elapsed({ from, to }: { readonly from: number; readonly to: number | null }) {
  const now = useNow(100, to === null);
  return <span className="ml-1 text-quiet tabular-nums">{duration(Math.max(0, (to ?? now) - from))}</span>;
}
