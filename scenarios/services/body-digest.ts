import { createHash } from 'node:crypto';

/** sha256 of a body, in hexadecimal. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
