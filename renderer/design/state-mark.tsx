import type { Run } from '../../runtime/contract/index.ts';

import { operationMarks, runMarks } from './marks.ts';

export function RunMark({ state }: { readonly state: Run['state'] }) {
  const { sign, colour, words } = runMarks[state];
  return (
    <span className={`inline-flex items-center gap-1 font-medium ${colour}`}>
      <span aria-hidden="true">{sign}</span>
      {words}
    </span>
  );
}

export function OperationMark({ state }: { readonly state: keyof typeof operationMarks }) {
  const { sign, colour, words } = operationMarks[state];
  return (
    <span className={`inline-flex items-center gap-1 ${colour}`}>
      <span aria-hidden="true">{sign}</span>
      {words}
    </span>
  );
}
