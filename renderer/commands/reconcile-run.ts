import { asLabError, type Operation, type OperationId, type Run } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { notify, openDialog, useView } from '../store/view-store.ts';

const page = 1000;

/** Opens the decision on the selected operation when it is uncertain, else on the first that is. */
export async function reconcileRun({ id }: Run): Promise<void> {
  try {
    const uncertain = await uncertainOperations(id);
    const selected = useView.getState().operation;
    const operation = uncertain.find((one) => one === selected) ?? uncertain[0];
    if (operation === undefined) notify('No operation of this run waits for a decision');
    else openDialog({ kind: 'reconcile', run: id, operation });
  } catch (thrown) {
    notify('The uncertain operations could not be read', asLabError(thrown));
  }
}

async function uncertainOperations(run: string): Promise<OperationId[]> {
  const found: OperationId[] = [];
  let after: OperationId | null = null;
  for (;;) {
    const operations: readonly Operation[] = await lab.call('run/operations', { run, after, limit: page });
    found.push(...operations.filter(({ uncertain }) => uncertain).map(({ id }) => id));
    after = operations.at(-1)?.id ?? null;
    if (operations.length < page) return found;
  }
}
