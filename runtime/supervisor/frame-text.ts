import { isUtf8 } from 'node:buffer';
import { fromChild, type FromChild } from '../contract/index.ts';

const shownCharacters = 80;
const longestReason = 300;

export type ReadFrame = { readonly frame: FromChild } | { readonly fault: string };

/** Reads one line of the socket, its line end cut off. A fault says what is wrong and how the line begins. */
export function readFrame(line: Buffer): ReadFrame {
  if (!isUtf8(line)) return { fault: `is not UTF-8; ${beginning(line)}` };
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (thrown) {
    return { fault: `is not JSON (${(thrown as Error).message.slice(0, longestReason)}); ${beginning(line)}` };
  }
  const parsed = fromChild.safeParse(value);
  if (parsed.success) return { frame: parsed.data };
  return { fault: `does not fit the protocol (${describeIssue(parsed.error.issues[0])}); ${beginning(line)}` };
}

/** `it begins with "…"`, at most 80 characters, control characters escaped. */
export function beginning(line: Buffer): string {
  const text = line.subarray(0, shownCharacters * 4).toString('utf8');
  return `it begins with ${JSON.stringify(text.slice(0, shownCharacters))}`;
}

/** The place and the reason of a schema's first complaint, in one line. */
export function describeIssue(issue: { readonly path: PropertyKey[]; readonly message: string } | undefined): string {
  if (issue === undefined) return 'no reason given';
  const place = issue.path.length === 0 ? 'the whole frame' : issue.path.map(String).join('.');
  return `${place}: ${issue.message}`.slice(0, longestReason);
}
