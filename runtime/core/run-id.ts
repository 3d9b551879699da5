import { LabError } from './errors.ts';

/** Of a run to be made. It names the run's folder too, so it can be no path. */
export const newRunId = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  expected: 'expected 1 to 100 letters, digits, ".", "_" or "-", led by a letter or digit',
} as const;

/** The id, if a run may be made under it. Throws `invalid-input`. */
export function checkNewRunId(id: string): string {
  if (newRunId.pattern.test(id)) return id;
  throw new LabError('invalid-input', `${JSON.stringify(id)} is no run id: ${newRunId.expected}`);
}
