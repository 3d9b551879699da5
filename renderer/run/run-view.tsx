import { Tabs } from '@base-ui/react/tabs';
import { lazy, Suspense, type ComponentType } from 'react';
import { Loading, ErrorView } from '../design/states.tsx';
import { useLab } from '../store/lab-store.ts';
import { useOpenedRun, useOpenRun } from '../store/open-run.ts';
import { runTabs, useView, type RunTab } from '../store/view-store.ts';
import { OperationsTab } from './operations-tab.tsx';
import { RunHeader } from './run-header.tsx';
import { TimelineTab } from './timeline-tab.tsx';
import { useUncertainOperations } from './uncertain-operations.ts';

type Tab = ComponentType<{ readonly run: string }>;

const tabs: Readonly<Record<RunTab, { readonly words: string; readonly View: Tab }>> = {
  timeline: { words: 'Timeline', View: TimelineTab },
  operations: { words: 'Operations', View: OperationsTab },
  ledgers: {
    words: 'Two ledgers',
    View: lazy(async () => ({ default: (await import('./ledgers-tab.tsx')).LedgersTab })),
  },
  graph: { words: 'Graph', View: lazy(async () => ({ default: (await import('./graph-tab.tsx')).GraphTab })) },
  trace: { words: 'Trace', View: lazy(async () => ({ default: (await import('./trace-tab.tsx')).TraceTab })) },
  events: { words: 'Events', View: lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab })) },
  files: { words: 'Files', View: lazy(async () => ({ default: (await import('./files-tab.tsx')).FilesTab })) },
};

/** The run in the middle of the page: what it is, why it stands where it stands, and its history in seven views. */
export function RunView({ run: id }: { readonly run: string }) {
  useOpenedRun(id);
  useUncertainOperations(id);
  const run = useLab(({ runs }) => runs[id]);
  const error = useOpenRun((open) => (open.run === id ? open.error : null));
  const tab = useView(({ tab }) => tab);
  if (run === undefined) return error === null ? <Loading what="the run" /> : <ErrorView error={error} />;
  return (
    <section aria-label={`Run ${id}`} className="flex h-full min-h-0 min-w-0 flex-col bg-panel">
      <RunHeader run={run} />
      <Tabs.Root
        value={tab}
        onValueChange={(value: RunTab) => useView.setState({ tab: value })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Tabs.List aria-label="views of the run" className="flex shrink-0 overflow-x-auto border-b border-line px-2">
          {runTabs.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="-mb-px border-b-2 border-transparent px-2.5 py-1.5 font-medium whitespace-nowrap text-quiet hover:text-ink data-active:border-accent data-active:text-ink"
            >
              {tabs[name].words}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {runTabs.map((name) => {
          const { View, words } = tabs[name];
          return (
            <Tabs.Panel key={name} value={name} className="min-h-0 flex-1 outline-offset-[-2px]">
              <Suspense fallback={<Loading what={words.toLowerCase()} />}>
                <View run={id} />
              </Suspense>
            </Tabs.Panel>
          );
        })}
      </Tabs.Root>
    </section>
  );
}
