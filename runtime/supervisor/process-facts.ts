import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../core/index.ts';

/** What the kernel says of one process now. */
export interface ProcessFacts extends ProcessIdentity {
  /** The id of its process group. */
  readonly group: number;
  /** It has ended and only waits to be collected by its parent: it runs no code any more. */
  readonly zombie: boolean;
}

/** The facts of a process, or null when there is none of this pid. */
export function readProcess(pid: number): ProcessFacts | null {
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

/** Pids of the members of a group that still run code. Reads the whole process table: for the rare path only. */
export function livingMembers(group: number): number[] {
  const all = process.platform === 'linux' ? allFromProc() : allFromPs();
  return all.filter((one) => one.group === group && !one.zombie).map((one) => one.pid);
}

/** Whether that very process still lives: pid and start time both match. A zombie counts as dead. */
export function isAlive(identity: ProcessIdentity): boolean {
  const facts = readProcess(identity.pid);
  return facts !== null && facts.startTime === identity.startTime && !facts.zombie;
}

let bootId: string | null = null;

/** Start times are counted from the boot, so they name a process only together with the boot. */
function readBootId(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return bootId;
}

function readFromProc(pid: number): ProcessFacts | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The second field is the process's name in brackets and may hold anything: the others are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const ticks = fields[19];
  if (state === undefined || group === undefined || ticks === undefined) return null;
  return { pid, startTime: `${ticks}@${readBootId()}`, group: Number(group), zombie: state === 'Z' || state === 'X' };
}

function allFromProc(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readFromProc(Number(name)))
    .filter((facts) => facts !== null);
}

/** For systems without /proc (macOS). The keeper compares start times in this same form. */
export function readFromPs(pid: number): ProcessFacts | null {
  return ps(['-p', String(pid)])[0] ?? null;
}

function allFromPs(): ProcessFacts[] {
  return ps(['-A']);
}

function ps(which: readonly string[]): ProcessFacts[] {
  let text: string;
  try {
    text = execFileSync('ps', ['-o', 'pid=,pgid=,stat=,lstart=', ...which], {
      encoding: 'latin1',
      // A start time is text: language and time zone are pinned, so that it never differs between two hosts.
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    // `ps -p` exits with 1 when there is no such process.
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [pid, group, stat = '', ...started] = line.trim().split(/\s+/);
      return { pid: Number(pid), group: Number(group), zombie: stat.startsWith('Z'), startTime: started.join('_') };
    });
}
