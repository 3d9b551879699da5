import type { SecretRow } from './secret-rows.ts';

const marks = {
  set: { sign: '●', colour: 'text-done', words: 'set' },
  missing: { sign: '○', colour: 'text-waiting', words: 'not set' },
  unreadable: { sign: '✕', colour: 'text-failed', words: 'not readable here' },
} as const;

export function markOf({ set }: Pick<SecretRow, 'set'>): (typeof marks)[keyof typeof marks] {
  if (set === null) return marks.missing;
  return set.problem === null ? marks.set : marks.unreadable;
}
