import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './setup-error.mjs';

const patience = 15 * 60_000;
const taken = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES']);

/** When a process began, in the kernel's own ticks; tells a process from a later one with the same id. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return null;
  }
}

const identity = (pid) => ({ pid, start: startOf(pid) });

function holdersOf(lock) {
  try {
    return JSON.parse(readFileSync(join(lock, 'holders.json'), 'utf8'));
  } catch {
    return null;
  }
}

function writeHolders(lock, holders) {
  const draft = join(lock, 'holders.draft');
  writeFileSync(draft, JSON.stringify(holders));
  renameSync(draft, join(lock, 'holders.json'));
}

function lives({ pid, start }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return start === null || startOf(pid) === start;
}

/** A folder that is born with its content: renaming onto a folder that holds something fails, so one process wins. */
function take(lock) {
  const own = `${lock}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  writeHolders(own, [identity(process.pid)]);
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (taken.has(error.code)) return false;
    throw error;
  }
}

/** Moved aside first: a folder emptied in place could be replaced by the next holder's before it is removed. */
function drop(lock) {
  const aside = `${lock}.${process.pid}.gone`;
  renameSync(lock, aside);
  rmSync(aside, { recursive: true, force: true });
}

/** Removes the lock of a dead process. One process at a time does so, and looks again first, or it might take a live one. */
function clearDead(lock) {
  const guard = `${lock}.clearing`;
  try {
    mkdirSync(guard);
  } catch {
    if (Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 10_000) {
      rmSync(guard, { recursive: true, force: true });
    }
    return;
  }
  try {
    const holders = holdersOf(lock);
    if (holders !== null && !holders.some(lives)) drop(lock);
  } finally {
    rmSync(guard, { recursive: true, force: true });
  }
}

/**
 * Waits until this process alone holds the lock folder. `share` adds a child that does the work: while it lives the
 * lock is held, even when this process has been killed.
 */
export async function holdLock(lock, onWait) {
  const begun = Date.now();
  let told = false;
  while (!take(lock)) {
    const holders = holdersOf(lock);
    if (holders !== null && !holders.some(lives)) {
      clearDead(lock);
      continue;
    }
    if (holders !== null && !told) {
      told = true;
      onWait(holders.find(lives).pid);
    }
    if (Date.now() - begun > patience) {
      throw new SetupError(`Another setup has held ${lock} for too long. If none is running, remove that folder.`);
    }
    await sleep(100);
  }
  return {
    share: (pid) => writeHolders(lock, [identity(process.pid), identity(pid)]),
    release: () => drop(lock),
  };
}
