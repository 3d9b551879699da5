import type { OperationId } from '../core/index.ts';
import { encode } from './values.ts';

/** Longer arguments are recorded by their digest: they are there to be compared, not to be read. */
const longestText = 16 * 1024;

/** What identifies a call in history, from its serialised arguments. */
export function identify(text: string): string {
  if (text.length <= longestText) return text;
  const { createHash } = process.getBuiltinModule('node:crypto');
  return JSON.stringify({ json: { sha256: createHash('sha256').update(text).digest('hex'), characters: text.length } });
}

/** The arguments of a step as recorded; null when there are none, or when they are not data: a step may take anything. */
export function identifyArguments(values: readonly unknown[]): string | null {
  if (values.length === 0) return null;
  try {
    return identify(encode(values, 'arguments'));
  } catch {
    return null;
  }
}

/** The number of an operation within its own workflow: the last part of its id. */
export function numberOf(id: OperationId): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}
