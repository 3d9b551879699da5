import type { Run } from '../../runtime/contract/index.ts';
import { act } from '../lab/act.ts';
import { useView } from '../store/view-store.ts';

/** Recovers a run under the crash points that were chosen for its next attempt; they are spent once it began. */
export async function recoverRun({ id, revision }: Run): Promise<void> {
  const crashPlan = [...(useView.getState().plans[id] ?? [])];
  const recovered = await act('run/recover', { run: id, revision, crashPlan, recovery: null });
  if (recovered === null) return;
  useView.setState(({ plans: { [id]: _, ...rest } }) => ({ plans: rest }));
}
