import { setTimeout as pause } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the process is gone. The test's own time limit ends a wait in vain. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(5);
}
