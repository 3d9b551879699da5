import type { ReactNode } from 'react';
import { Play } from 'lucide-react';
import { CommandButton, useEnabled } from '../commands/command-button.tsx';
import { crashItYourself, playScenario } from '../commands/play-scenario.ts';
import { Button } from '../design/button.tsx';
import { useLab } from '../store/lab-store.ts';
import { go } from '../store/view-store.ts';

const first = 'crash-after-checkpoint';

/** Three ways to begin. */
export function WelcomeView() {
  const canPlay = useEnabled('play-all');
  const point = useLab(({ scenarios }) => scenarios.find(({ name }) => name === first)?.crashPlan.join(', ') ?? '');
  return (
    <article aria-label="welcome" className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl px-5 py-8">
        <h1 className="text-[20px] font-semibold tracking-tight">Prove that your durable program recovers</h1>
        <p className="mt-1.5 max-w-[60ch] text-quiet">
          The lab runs a relay in a real process, kills it at the point that you choose, recovers the same run, and
          shows what was reused, what was repeated, and what a person must decide.
        </p>
        <ol className="mt-6 space-y-3">
          <Way number={1} title="Watch a crash and its recovery">
            <p>
              Plays <b className="font-semibold">{first}</b>: the process of an order relay is killed
              {point === '' ? '' : ' at '}
              {point !== '' && <code className="font-mono text-kill">{point}</code>} and its run is recovered. The
              evidence fills in from the ledger, the services’ own databases and the process table.
            </p>
            <Button
              look="primary"
              disabled={!canPlay}
              onClick={() => {
                go({ kind: 'scenario', name: first });
                void playScenario(first);
              }}
            >
              <Play size={13} aria-hidden="true" /> Play {first}
            </Button>
          </Way>
          <Way number={2} title="Crash it yourself">
            <p>
              Starts the same relay with the same crash plan and stops there: look at what is left, then press Recover.
            </p>
            <Button disabled={!canPlay} onClick={() => void crashItYourself(first)}>
              Start and crash it yourself
            </Button>
          </Way>
          <Way number={3} title="Bring your own relay">
            <p>
              A folder with a <code className="font-mono">relay.json</code> and an entry file that imports{' '}
              <code className="font-mono">@dbos-inc/dbos-sdk</code>. Start it with an input and a crash plan.
            </p>
            <div className="flex gap-2">
              <CommandButton command="open-relay" />
              <CommandButton command="new-run" />
            </div>
          </Way>
        </ol>
      </div>
    </article>
  );
}

interface WayProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Way({ number, title, children }: WayProps) {
  return (
    <li className="flex gap-4 rounded-md border border-line bg-panel p-4">
      <span aria-hidden="true" className="text-[18px] leading-6 font-semibold text-quiet tabular-nums">
        {number}
      </span>
      <div className="min-w-0 flex-1 space-y-2">
        <h2 className="text-[14px] leading-6 font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  );
}
