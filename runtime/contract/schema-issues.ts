import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * The issues of a failed parse as phrases for a person: which key, which value stands there, what was expected.
 * `value` is what was parsed.
 */
export function describeIssues(issues: readonly Issue[], value: unknown): string[] {
  return issues.flatMap((issue) => describeIssue(issue, value));
}

function describeIssue(issue: Issue, value: unknown): string[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `the key ${quoted(place === '' ? key : `${place}.${key}`)} is unknown`);
  }
  const expected =
    issue.code === 'invalid_union' && issue.errors.length > 0
      ? issue.errors.map((branch) => branchText(branch)).join(', or ')
      : plain(issue.message);
  const found = valueAt(value, issue.path);
  const subject = place === '' ? 'it' : quoted(place);
  return [found === undefined ? `${subject} is missing: ${expected}` : `${subject} is ${shown(found)}: ${expected}`];
}

function branchText(branch: readonly Issue[]): string {
  return branch
    .map((issue) => {
      const place = issue.path.map(String).join('.');
      if (issue.code === 'unrecognized_keys') return `no key ${issue.keys.map(quoted).join(', ')}`;
      return place === '' ? plain(issue.message) : `in ${quoted(place)} ${plain(issue.message)}`;
    })
    .join(' and ');
}

function plain(message: string): string {
  return message.replace(/^Invalid (input|option): /, '').replace(/, received undefined$/, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (found === null || typeof found !== 'object') return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}

function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
