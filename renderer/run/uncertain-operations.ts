import { useEffect } from 'react';
import { create } from 'zustand';
import { asLabError } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';
import { notify } from '../store/view-store.ts';

/** Operations of the run in view that a person has to decide on. Events alone do not tell; the ledger's rows do. */
export const useUncertain = create<{ readonly ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

/** Asks the ledger which of the operations that were cut are uncertain, each time that the run stops for one. */
export function useUncertainOperations(run: string): void {
  const revision = useLab(({ runs }) => {
    const found = runs[run];
    return found?.state === 'needs_reconciliation' || found?.state === 'failed' ? found.revision : null;
  });
  const cut = useOpenRun(({ history }) =>
    revision === null
      ? ''
      : history.operations
          .filter(({ state }) => state === 'cut')
          .map(({ id }) => id)
          .join(' '),
  );
  useEffect(() => {
    if (revision === null || cut === '') {
      useUncertain.setState({ ids: new Set() });
      return;
    }
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const operations = useOpenRun.getState().history.operations.filter(({ id }) => cut.split(' ').includes(id));
      const details = await Promise.all(operations.map(({ id }) => lab.call('run/operation', { run, operation: id })));
      const ids = details.filter(({ operation }) => operation.uncertain).map(({ operation }) => operation.id);
      if (isWanted) useUncertain.setState({ ids: new Set(ids) });
    };
    ask().catch((thrown: unknown) => notify('The uncertain operations could not be read', asLabError(thrown)));
    return () => void (isWanted = false);
  }, [run, revision, cut]);
}
