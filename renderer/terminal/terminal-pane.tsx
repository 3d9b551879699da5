import { lazy, Suspense } from 'react';
import { Loading } from '../design/states.tsx';

const TerminalView = lazy(async () => ({ default: (await import('./terminal-view.tsx')).TerminalView }));

/** What the run's attempts write. Loads its terminal when it is first shown. */
export function TerminalPane({ run }: { readonly run: string }) {
  return (
    <Suspense fallback={<Loading what="the terminal" />}>
      <TerminalView key={run} run={run} />
    </Suspense>
  );
}
