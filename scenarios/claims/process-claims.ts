import { describeEnd } from '../../runtime/core/index.ts';
import { counted, says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** Attempts of this one run, each an operating-system process of its own. */
export function attemptsMade(count: number): Claim<RunFacts> {
  const text = (attempts: number, processes: number): string =>
    `${counted(attempts, 'attempt')} of one run in ${counted(processes, 'process', 'processes')}`;
  return {
    name: 'attempts',
    expected: text(count, count),
    look: ({ run, attempts }) => {
      const stranger = attempts.find((attempt) => attempt.run !== run.id);
      if (stranger !== undefined) {
        return { actual: `attempt ${stranger.number} belongs to run ${stranger.run}`, ok: false };
      }
      const processes = attempts.flatMap(({ process }) => process ?? []);
      const different = new Set(processes.map(({ pid, startTime }) => `${pid} ${startTime}`)).size;
      return {
        actual: `${text(attempts.length, different)}: ${processes.map(({ pid }) => pid).join(', ')}`,
        ok: attempts.length === count && different === count,
      };
    },
  };
}

/** The process table shows none of the run's processes, and at least one was recorded. */
export const processesGone: Claim<RunFacts> = {
  name: 'process table',
  expected: 'none is left',
  look: ({ attempts, living }) => {
    const pids = attempts.flatMap(({ process }) => (process === null ? [] : [process.pid]));
    if (pids.length === 0) return { actual: 'no process was ever recorded', ok: false };
    if (living.length > 0) return { actual: `still there: ${living.join(', ')}`, ok: false };
    return { actual: `none is left (${pids.join(', ')} gone)`, ok: true };
  },
};

/** SIGKILL hit the first attempt exactly at its crash point: nothing of the attempt happened after it. */
export function killedAt(point: string): Claim<RunFacts> {
  return says('kill', `SIGKILL exactly at ${point}`, ({ attempts: [attempt], events }) => {
    const planned = attempt?.crashPlan.find((one) => one.point === point);
    if (attempt === undefined || planned === undefined) return 'not planned';
    if (planned.state !== 'fired') return `${planned.state}: the rehearsal is void`;
    const { cause } = attempt;
    if (cause?.kind !== 'crash-point' || cause.point !== point) {
      return cause === null ? 'fired, and the process has not ended' : `fired, and yet ${describeEnd(cause)}`;
    }
    const own = events.filter((event) => event.attempt === attempt.number);
    const fired = own.findIndex(({ type }) => type === 'crash-point.fired');
    const after = own.slice(fired + 1).filter(({ type }) => type.startsWith('operation.'));
    if (fired === -1) return 'fired, and no event says so';
    return after.length === 0
      ? `${cause.signal} exactly at ${point}`
      : `${cause.signal} at ${point}, and then ${after.map(({ type }) => type).join(', ')}`;
  });
}

/** How the process of each attempt ended, in words. */
export function processesEnded(...ends: readonly string[]): Claim<RunFacts> {
  return says('ends of processes', ends.join('; '), ({ attempts }) =>
    attempts.map(({ cause }) => (cause === null ? 'not ended' : describeEnd(cause))).join('; '),
  );
}
