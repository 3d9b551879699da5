import type { ErrorCode } from '../../runtime/core/index.ts';
import { says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';
import type { RefusalFacts } from '../stage.ts';

/** The command was refused for this reason, and the error names these things. */
export function refusedWith(code: ErrorCode, ...names: readonly string[]): Claim<RefusalFacts> {
  return {
    name: 'refusal',
    expected: [code, ...names.map((name) => `naming ${name}`)].join(', '),
    look: ({ refusal }) => {
      if (refusal === null) return { actual: 'not refused', ok: false };
      const told = JSON.stringify([refusal.message, refusal.facts]);
      return {
        actual: `${refusal.code}: ${refusal.message}`,
        ok: refusal.code === code && names.every((name) => told.includes(name)),
      };
    },
  };
}

/** No process, no request to a service, no move of the run. */
export const nothingStarted: Claim<RefusalFacts> = says(
  'after the refusal',
  'no new process, nothing changed',
  ({ before, after }) => {
    const changes = Object.entries(standing(before)).flatMap(([what, was]) => {
      const is = standing(after)[what as keyof ReturnType<typeof standing>];
      return was === is ? [] : [`${what} ${was} became ${is}`];
    });
    return changes.length === 0 ? 'no new process, nothing changed' : changes.join(', ');
  },
);

function standing({ run, attempts, events, operations, living, services }: RunFacts) {
  return {
    state: run.state,
    revision: run.revision,
    epoch: run.epoch,
    attempts: attempts.length,
    processes: events.filter(({ type }) => type === 'attempt.spawned').length,
    living: living.length,
    operations: operations.length,
    requests: Object.values(services).reduce((sum, { attempts: requests }) => sum + requests, 0),
  };
}

/** The denial left a receipt that says why. */
export const denialKept: Claim<RefusalFacts> = {
  name: 'denial',
  expected: 'an admission receipt that says why',
  look: ({ before, after }) => {
    const known = new Set(before.receipts.map(({ id }) => id));
    const denials = after.receipts.filter((one) => !known.has(one.id) && one.kind === 'admission' && !one.ok);
    const reason = reasonOf(denials[0]?.data);
    const ok = denials.length === 1 && reason !== null;
    return { actual: ok ? `an admission receipt: ${reason}` : `${denials.length} denials, reason ${reason}`, ok };
  },
};

export function reasonOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return null;
  return typeof data.reason === 'string' && data.reason !== '' ? data.reason : null;
}
