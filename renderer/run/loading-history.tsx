import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';

/** How far the run's history has been read; of a long one that takes a moment. */
export function LoadingHistory({ run }: { readonly run: string }) {
  const read = useOpenRun(({ history }) => history.lastSequence);
  const all = useLab(({ runs }) => runs[run]?.lastSequence ?? 0);
  return (
    <p role="status" className="p-4 text-quiet tabular-nums">
      Reading the run’s history: {read.toLocaleString('en')} of {Math.max(read, all).toLocaleString('en')} events…
    </p>
  );
}
