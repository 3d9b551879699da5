import type { LabError } from '../../runtime/contract/index.ts';

/** What the host found wrong with an input, when that is what it refused. */
export function inputProblems(error: LabError | null): readonly string[] {
  if (error === null) return [];
  const violations = error.facts['violations'];
  if (Array.isArray(violations)) return violations.map(String);
  return error.message.startsWith('the input ') ? [error.message] : [];
}
