import { ArrowLeft } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { useMedia } from '../design/media.ts';
import { RelayView } from '../relay/relay-view.tsx';
import { RunView } from '../run/run-view.tsx';
import { scenarioMarks } from '../scenario/scenario-mark.tsx';
import { ScenarioView } from '../scenario/scenario-view.tsx';
import { ServiceView } from '../service/service-view.tsx';
import { useLab } from '../store/lab-store.ts';
import { go, useView } from '../store/view-store.ts';
import { VaultView } from '../vault/vault-view.tsx';
import { WelcomeView } from '../welcome/welcome-view.tsx';
import { Beside } from './columns.tsx';

/** What the person went to. */
export function Middle() {
  const place = useView(({ place }) => place);
  switch (place.kind) {
    case 'welcome':
      return <WelcomeView />;
    case 'scenario':
      return <ScenarioPlace name={place.name} run={place.run ?? null} />;
    case 'relay':
      return <RelayView key={place.folder} folder={place.folder} />;
    case 'service':
      return <ServiceView name={place.name} />;
    case 'vault':
      return <VaultView />;
    case 'run':
      return <RunView key={place.run} run={place.run} />;
  }
}

interface ScenarioPlaceProps {
  readonly name: string;
  readonly run: string | null;
}

function ScenarioPlace({ name, run }: ScenarioPlaceProps) {
  const hasRoom = useMedia('(min-width: 1240px)');
  const scenario = <ScenarioView key={name} name={name} run={run} />;
  if (run === null) return scenario;
  const view = <RunView key={run} run={run} />;
  if (hasRoom) return <Beside scenario={scenario} run={view} />;
  return (
    <div className="flex h-full flex-col">
      <Strip name={name} />
      <div className="min-h-0 flex-1">{view}</div>
    </div>
  );
}

/** The scenario in one line, where there is no room for it beside its run. */
function Strip({ name }: { readonly name: string }) {
  const state = useLab(({ progress }) => progress[name]?.state ?? 'not played');
  const { sign, colour, words } = scenarioMarks[state];
  return (
    <div className="flex h-9 shrink-0 items-center gap-3 border-b border-line px-2">
      <Button look="quiet" onClick={() => go({ kind: 'scenario', name })}>
        <ArrowLeft size={14} aria-hidden="true" /> {name}
      </Button>
      <span role="status" className={colour}>
        <span aria-hidden="true">{sign}</span> {words}
      </span>
    </div>
  );
}
