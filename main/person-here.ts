import { userInfo } from 'node:os';

/** Whose name stands under a decision: who is logged in. */
export function personHere(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
