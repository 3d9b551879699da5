import { Empty } from '../design/states.tsx';
import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';
import { useView } from '../store/view-store.ts';
import { InspectedOperation } from './inspected-operation.tsx';
import { RunFacts } from './run-facts.tsx';

/** What is known of the selected operation; of the run while none is. */
export function Inspector({ run: id }: { readonly run: string }) {
  const run = useLab(({ runs }) => runs[id]);
  const selected = useView(({ operation }) => operation);
  const operation = useOpenRun(({ history }) =>
    selected === null || history.run !== id ? undefined : history.operations[history.places.get(selected) ?? -1],
  );
  if (run === undefined) return <Empty title="Nothing is selected" />;
  return (
    <section aria-label="Inspector" className="h-full min-w-0 overflow-y-auto bg-panel text-[13px]">
      {operation === undefined ? (
        <RunFacts run={run} />
      ) : (
        <InspectedOperation key={operation.id} run={run} operation={operation} />
      )}
    </section>
  );
}
