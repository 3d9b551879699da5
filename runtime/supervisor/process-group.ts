import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../core/index.ts';
import { livingMembers, readProcess } from './process-facts.ts';

/** How long a group may take to vanish after SIGKILL. Only a member that hangs in the kernel takes that long. */
const emptyWithinMs = 10_000;

/** Signals every member of a group; nothing happens when it has none. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // No such group any more, or (macOS) none but zombies in it: both mean that nobody is left to signal.
  }
}

/**
 * Kills what is left of the group that this process leads or led, and waits until no member runs any more. Returns
 * the pids that are still there after ten seconds: they hang in the kernel and run no code of their own.
 */
export async function emptyGroup(leader: ProcessIdentity): Promise<readonly number[]> {
  const startedAt = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const left = remaining(leader);
    if (left.length === 0 || performance.now() - startedAt > emptyWithinMs) return left;
    signalGroup(leader.pid, 'SIGKILL');
    await delay(pauseMs);
  }
}

function remaining(leader: ProcessIdentity): readonly number[] {
  if (hasNoMember(leader.pid)) return [];
  // While a group has a member its number is given to no new process. So when a process of this pid runs that is
  // not the leader, then the leader's group was empty before, and this one is a stranger's.
  const holder = readProcess(leader.pid);
  if (holder !== null && holder.startTime !== leader.startTime) return [];
  return livingMembers(leader.pid);
}

function hasNoMember(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
