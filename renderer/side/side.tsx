import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { ErrorView, Loading } from '../design/states.tsx';
import { ResizeHandle } from '../layout/resize-handle.tsx';
import { useLab } from '../store/lab-store.ts';
import { RelayList } from './relay-list.tsx';
import { RunList } from './run-list.tsx';
import { ScenarioList } from './scenario-list.tsx';
import { ServiceList } from './service-list.tsx';
import { VaultList } from './vault-list.tsx';

/** What there is in the lab: scenarios, relays, services, and all runs. */
export function Side() {
  const isRead = useLab(({ info }) => info !== null);
  const layout = useDefaultLayout({ id: 'recovery-lab-side', onlySaveAfterUserInteractions: true });
  const error = useLab(({ loadError }) => loadError);
  return (
    <nav aria-label="the lab" className="flex h-full min-h-0 flex-col bg-panel">
      {error !== null && <ErrorView error={error} />}
      {!isRead && error === null && <Loading what="the lab" />}
      <Group
        orientation="vertical"
        defaultLayout={layout.defaultLayout}
        onLayoutChanged={layout.onLayoutChanged}
        className="min-h-0 flex-1"
      >
        <Panel id="parts" defaultSize="58%" minSize={80} className="pt-1.5">
          <ScenarioList />
          <RelayList />
          <ServiceList />
          <VaultList />
        </Panel>
        <ResizeHandle label="Height of the runs" />
        <Panel id="runs" minSize={140}>
          <RunList />
        </Panel>
      </Group>
    </nav>
  );
}
