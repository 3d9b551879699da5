import type { Json } from '../../runtime/core/index.ts';
import { counted, says, times, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** Checkpoints that the last attempt was answered from, as its row and its events both say. */
export function reusedCheckpoints(count: number): Claim<RunFacts> {
  const text = (reused: number): string => counted(reused, 'reused checkpoint');
  return says('reused', text(count), ({ attempts, events }) => {
    const last = attempts.at(-1);
    const told = events.filter(({ type, attempt }) => type === 'operation.reused' && attempt === last?.number).length;
    return last?.reused === told ? text(told) : `${text(last?.reused ?? 0)}, and ${counted(told, 'event')} of it`;
  });
}

/** How far each operation came: `reserve checkpointed, create-order intended`. */
export function historyHolds(text: string): Claim<RunFacts> {
  return says('history', text, ({ operations }) =>
    operations.map(({ name, state, uncertain }) => `${name} ${uncertain ? 'uncertain' : state}`).join(', '),
  );
}

/** How often the body of each operation was begun, over all attempts: `extract once, create-order twice`. */
export function bodiesBegun(text: string): Claim<RunFacts> {
  return says('bodies begun', text, ({ operations, events }) =>
    operations
      .map(({ id, name, bodies }) => {
        const told = events.filter(({ type, operation }) => type === 'operation.intended' && operation === id).length;
        return `${name} ${times(bodies)}${told === bodies ? '' : ` (and ${counted(told, 'event')} of it)`}`;
      })
      .join(', '),
  );
}

/** The run's result, as JSON with its keys in order. */
export function resultIs(result: Json): Claim<RunFacts> {
  return says('result', ordered(result), ({ run }) =>
    run.state === 'succeeded' ? ordered(run.result) : `none, the run is ${run.state}`,
  );
}

/** The result of a run that was killed is that of one that was not. */
export const sameResult: Claim<{ readonly killed: RunFacts; readonly plain: RunFacts }> = {
  name: 'same result',
  expected: 'as without a crash',
  look: ({ killed, plain }) => {
    const ok = [killed, plain].every(({ run }) => run.state === 'succeeded') && killed.run.id !== plain.run.id;
    const equal = ok && ordered(killed.run.result) === ordered(plain.run.result);
    return equal
      ? { actual: `as without a crash: ${ordered(plain.run.result)}`, ok: true }
      : { actual: `${ordered(killed.run.result)}, and without a crash ${ordered(plain.run.result)}`, ok: false };
  },
};

function ordered(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
