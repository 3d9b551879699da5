import type { Run } from '../contract/index.ts';
import { changedBindings, LabError } from '../core/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { checkAdmission } from './platform-admission.ts';
import type { Release } from './ports.ts';

/**
 * Guarantee 6, before each attempt: live permission, the release's complete checksum, every binding, and for a draft
 * the folder it came from. A denial is a receipt and starts no process. Throws `admission-denied` or `binding-changed`.
 */
export async function admitRun(parts: EngineParts, run: Run): Promise<Release> {
  const check = await checkAdmission(parts, run, {
    name: 'attempt',
    attempt: null,
    operation: null,
    connections: [],
  });
  await parts.ledger.commit([check.receipt], { lazy: check.refusal === null });
  if (check.refusal !== null) throw check.refusal;
  const { release } = check;
  const changes = changedBindings(run.bindings, await parts.bindings(release, run.input));
  const draft = run.draftFolder === null ? [] : await parts.draftChanges(run.draftFolder, release);
  const names = [...changes.map((change) => change.binding), ...(draft.length > 0 ? ['release'] : [])];
  if (names.length === 0) return release;
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
