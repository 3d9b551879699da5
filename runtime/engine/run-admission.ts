import type { Run } from '../contract/index.ts';
import { changedBindings, LabError, type LedgerWrite } from '../core/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { checkAdmission } from './platform-admission.ts';
import type { Release } from './ports.ts';

/**
 * Guarantee 6, before each attempt: live permission, the release's complete checksum, every binding, and for a draft
 * the folder it came from. The receipt of a grant is to be made durable with the claim that rests on it; a denial's is
 * durable before this throws `admission-denied` or `binding-changed`, and no process is started.
 */
export async function admitRun(
  parts: EngineParts,
  run: Run,
): Promise<{ readonly release: Release; readonly receipt: LedgerWrite }> {
  const check = await checkAdmission(parts, run, {
    name: 'attempt',
    attempt: null,
    operation: null,
    connections: [],
  });
  const { release, receipt } = check;
  if (release === null) {
    await parts.ledger.commit([receipt]);
    throw check.refusal;
  }
  const changes = changedBindings(run.bindings, await parts.bindings(release, run.input));
  const draft = run.draftFolder === null ? [] : await parts.draftChanges(run.draftFolder, release);
  const names = [...changes.map((change) => change.binding), ...(draft.length > 0 ? ['release'] : [])];
  if (names.length === 0) return { release, receipt };
  await parts.ledger.commit([receipt]);
  const details = [
    ...changes.map((change) => `${change.binding} was ${change.recorded} and is ${change.found}`),
    ...draft.map((file) => `release: ${file} in ${run.draftFolder ?? ''}`),
  ];
  throw new LabError(
    'binding-changed',
    `run ${run.id} is bound to what it started with, and that has changed: ${details.join('; ')}`,
    'Restore it to recover this run, or start a new run.',
    { bindings: names, changes: details },
  );
}
