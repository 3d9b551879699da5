import { ErrorView, Loading } from '../design/states.tsx';
import { useLab } from '../store/lab-store.ts';
import { RelayList } from './relay-list.tsx';
import { RunList } from './run-list.tsx';
import { ScenarioList } from './scenario-list.tsx';
import { ServiceList } from './service-list.tsx';

/** What there is in the lab: scenarios, relays, services, and all runs. */
export function Side() {
  const isRead = useLab(({ info }) => info !== null);
  const error = useLab(({ loadError }) => loadError);
  return (
    <nav aria-label="the lab" className="flex h-full min-h-0 flex-col bg-panel">
      {error !== null && <ErrorView error={error} />}
      {!isRead && error === null && <Loading what="the lab" />}
      <div className="max-h-[58%] shrink-0 overflow-y-auto pt-1.5">
        <ScenarioList />
        <RelayList />
        <ServiceList />
      </div>
      <RunList />
    </nav>
  );
}
