import { describe, expect, it } from 'vitest';
import type { Claim } from '../../scenarios/claim.ts';
import { nobodyAsked } from '../../scenarios/claims/decision-claims.ts';
import { eventsWithoutGap, goesThrough, revisionsWithoutGap } from '../../scenarios/claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, resultIs, reusedCheckpoints } from '../../scenarios/claims/operation-claims.ts';
import { attemptsMade, killedAt, processesEnded, processesGone } from '../../scenarios/claims/process-claims.ts';
import { everyAttemptAdmitted, receiptsAre, serviceDid } from '../../scenarios/claims/service-claims.ts';
import type { RunFacts } from '../../scenarios/run-facts.ts';
import { orderFacts } from './order-facts.ts';

const good = orderFacts();

/** The facts with one list changed. */
function withItems<Key extends 'attempts' | 'operations' | 'events' | 'receipts'>(
  key: Key,
  change: (items: RunFacts[Key][number][]) => readonly RunFacts[Key][number][],
): RunFacts {
  return { ...good, [key]: change([...good[key]]) };
}

function withFirstAttempt(change: Partial<RunFacts['attempts'][number]>): RunFacts {
  return withItems('attempts', ([first, ...rest]) => [
    { ...first, ...change } as RunFacts['attempts'][number],
    ...rest,
  ]);
}

function withRun(change: Partial<RunFacts['run']>): RunFacts {
  return { ...good, run: { ...good.run, ...change } };
}

function withService(service: 'order-service' | 'inventory', change: object): RunFacts {
  return { ...good, services: { ...good.services, [service]: { ...good.services[service], ...change } } };
}

function raised(event: RunFacts['events'][number]): RunFacts['events'][number] {
  const { revision } = event.data as { revision?: number };
  return revision === undefined ? event : { ...event, data: { ...(event.data as object), revision: revision + 1 } };
}

const moves = 'queued → running → interrupted → queued → running → succeeded';
const point = 'reserve@after-checkpoint';

/** Each claim about a run, with facts that differ from good ones in one thing that it is there to notice. */
const claims: readonly (readonly [Claim<RunFacts>, Readonly<Record<string, RunFacts>>])[] = [
  [
    eventsWithoutGap,
    {
      'an event is missing': withItems('events', (events) => events.filter(({ sequence }) => sequence !== 5)),
      'the last event is missing': withItems('events', (events) => events.slice(0, -1)),
      'two events have one number': withItems('events', (events) =>
        events.map((event) => (event.sequence === 6 ? { ...event, sequence: 5 } : event)),
      ),
    },
  ],
  [
    revisionsWithoutGap,
    {
      'a move is missing': withItems('events', (events) =>
        events.filter(({ data }) => (data as { revision?: number }).revision !== 4),
      ),
      'the run is further than its events': withRun({ revision: 7 }),
      'the first change raised it by two': {
        ...withItems('events', (events) => events.map(raised)),
        run: { ...good.run, revision: 7 },
      },
    },
  ],
  [
    goesThrough(moves),
    {
      'a move is missing': withItems('events', (events) =>
        events.filter(({ data }) => (data as { revision?: number }).revision !== 3),
      ),
      'the run stands in another state than its events say': withRun({ state: 'failed' }),
    },
  ],
  [
    attemptsMade(2),
    {
      'an attempt is missing': withItems('attempts', (attempts) => attempts.slice(1)),
      'both attempts were one process': withFirstAttempt({ process: good.attempts[1]?.process ?? null }),
      'a process was never recorded': withFirstAttempt({ process: null }),
      'an attempt belongs to another run': withFirstAttempt({ run: 'run-2' }),
    },
  ],
  [
    processesGone,
    {
      'a killed process still lives': { ...good, living: [101] },
      'no process was ever recorded': withItems('attempts', (all) => all.map((one) => ({ ...one, process: null }))),
    },
  ],
  [
    killedAt(point),
    {
      'the kill missed': withFirstAttempt({ crashPlan: [{ point, state: 'missed' }] }),
      'the kill is still armed': withFirstAttempt({ crashPlan: [{ point, state: 'armed' }] }),
      'another point was planned': withFirstAttempt({ crashPlan: [{ point: 'reserve@during', state: 'fired' }] }),
      'the process ended otherwise': withFirstAttempt({ cause: { kind: 'exit', code: 1 } }),
      'it was SIGTERM': withFirstAttempt({ cause: { kind: 'crash-point', point, signal: 'SIGTERM' } }),
      'no event says so': withItems('events', (all) => all.filter(({ type }) => type !== 'crash-point.fired')),
      'the attempt went on after it': withItems('events', (all) =>
        all.map((event) => (event.type === 'operation.intended' ? { ...event, attempt: 1 } : event)),
      ),
    },
  ],
  [
    processesEnded(`SIGKILL at the crash point ${point}`, 'it finished'),
    {
      'one was killed by hand': withFirstAttempt({ cause: { kind: 'killed', by: 'a person' } }),
      'one has not ended': withFirstAttempt({ cause: null }),
    },
  ],
  [
    reusedCheckpoints(2),
    {
      'a checkpoint was not reused': withItems('attempts', (all) => all.map((one) => ({ ...one, reused: 1 }))),
      'events tell of fewer': withItems('events', (all) => all.filter(({ operation }) => operation !== '1')),
    },
  ],
  [
    historyHolds('extract checkpointed, reserve checkpointed, create-order checkpointed, confirm checkpointed'),
    {
      'an operation is only intended': withItems('operations', ([first, ...rest]) => [
        { ...first, state: 'intended' } as RunFacts['operations'][number],
        ...rest,
      ]),
      'an operation is uncertain': withItems('operations', (all) => all.map((one) => ({ ...one, uncertain: true }))),
      'an operation is missing': withItems('operations', (all) => all.slice(1)),
    },
  ],
  [
    bodiesBegun('extract once, reserve once, create-order once, confirm once'),
    {
      'a completed body ran again': withItems('operations', ([first, ...rest]) => [
        { ...first, bodies: 2 } as RunFacts['operations'][number],
        ...rest,
      ]),
      'only its events tell of it': withItems('events', (all) =>
        all.flatMap((event) => (event.type === 'operation.intended' ? [event, event] : [event])),
      ),
    },
  ],
  [
    resultIs({ orderId: 'order-1', total: 11_400 }),
    {
      'the result is another': withRun({ result: { orderId: 'order-1', total: 0 } }),
      'the run failed': withRun({ state: 'failed' }),
    },
  ],
  [
    serviceDid('order-service', { attempts: 1, keys: 1, effects: 1 }),
    {
      'it was asked twice': withService('order-service', { attempts: 2 }),
      'with different keys': withService('order-service', { keys: ['a', 'b'] }),
      'two orders came of it': withService('order-service', { effects: 2 }),
      'nothing reached it': withService('order-service', { attempts: 0, effects: 0, keys: [] }),
    },
  ],
  [
    receiptsAre('tool lookup_customer, agent extract, mcp inventory.reserve'),
    {
      'the agent was called again': withItems('receipts', (all) => [...all, ...all.slice(3, 4)]),
      'a receipt is missing': withItems('receipts', (all) => all.slice(3)),
      'a call failed': withItems('receipts', (all) => all.map((one) => ({ ...one, ok: false }))),
    },
  ],
  [
    everyAttemptAdmitted,
    {
      'an attempt was not admitted': withItems('receipts', (all) => all.slice(1)),
      'an attempt was denied': withItems('receipts', (all) => all.map((one) => ({ ...one, ok: one.id !== 1 }))),
      'there was no attempt': withItems('attempts', () => []),
    },
  ],
  [
    nobodyAsked,
    {
      'a person decided': withItems('receipts', (all) => all.map((one) => ({ ...one, kind: 'reconciliation' }))),
      'the run waited for a decision': withItems('events', (all) =>
        all.map((event) =>
          event.type === 'run.moved'
            ? { ...event, data: { ...(event.data as object), to: 'needs_reconciliation' } }
            : event,
        ),
      ),
    },
  ],
];

describe('evidence about a run', () => {
  it.each(claims)('$name holds of facts that are as expected', (claim) => {
    expect(claim.look(good)).toMatchObject({ ok: true });
  });

  const wrong = claims.flatMap(([claim, cases]) =>
    Object.entries(cases).map(([what, facts]) => ({ name: claim.name, what, claim, facts })),
  );
  it.each(wrong)('$name falls when $what', ({ claim, facts }) => {
    const { ok, actual } = claim.look(facts);
    expect(ok).toBe(false);
    expect(actual).not.toBe(claim.expected);
  });
});
