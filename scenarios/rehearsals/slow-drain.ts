import type { Run } from '../../runtime/contract/index.ts';
import { says, under, type Claim } from '../claim.ts';
import { eventsOf, goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds } from '../claims/operation-claims.ts';
import { attemptsMade, processesEnded, processesGone } from '../claims/process-claims.ts';
import type { RunFacts } from '../run-facts.ts';
import type { Scenario } from '../scenario.ts';

const relay = 'slow-drain';
/** Short for work that does not stop by itself, long for work that does. */
const graceMs = { stubborn: 400, heedful: 60_000 } as const;

interface DrainFacts extends RunFacts {
  /** The run as `run/cancel` answered. */
  readonly asked: Run;
}

const visible: Claim<DrainFacts> = says('right after cancel', 'cancel_requested', ({ asked }) => asked.state);

/** Milliseconds for which the run stood in `cancel_requested`, by its events; null when it never did. */
function drainMs({ events }: RunFacts): number | null {
  const moves = eventsOf(events, 'run.moved');
  const asked = moves.find(({ data }) => data.to === 'cancel_requested');
  const ended = moves.find(({ data }) => data.from === 'cancel_requested' && data.to === 'cancelled');
  return asked === undefined || ended === undefined ? null : ended.event.at - asked.event.at;
}

function drainTook(expected: string, holds: (ms: number) => boolean): Claim<DrainFacts> {
  return {
    name: 'from cancel_requested to cancelled',
    expected,
    look: (facts) => {
      const ms = drainMs(facts);
      return { actual: ms === null ? 'never' : `${ms} ms`, ok: ms !== null && holds(ms) };
    },
  };
}

const common: readonly Claim<RunFacts>[] = [
  goesThrough('queued → running → cancel_requested → cancelled'),
  attemptsMade(1),
  processesGone,
  bodiesBegun('long-work once'),
  ...soundLedger,
];

const stubborn = under<DrainFacts>('stubborn step', [
  visible,
  // Timers count whole milliseconds, and events have a clock of their own.
  drainTook(`the grace time of ${graceMs.stubborn} ms or more`, (ms) => ms >= graceMs.stubborn - 5),
  processesEnded('it did not stop within the grace time after cancel and was killed'),
  historyHolds('long-work intended'),
  ...common,
]);

const heedful = under<DrainFacts>('heedful step', [
  visible,
  drainTook(`less than the grace time of ${graceMs.heedful} ms`, (ms) => ms < graceMs.heedful),
  processesEnded('it finished'),
  historyHolds('long-work checkpointed'),
  ...common,
]);

export const slowDrain: Scenario = {
  name: 'slow-drain',
  title: 'cancelled in a long step: asked to stop until the step ends or its grace time is over, then cancelled',
  relay,
  crashPlan: [],
  expects: [...stubborn, ...heedful],
  async play(stage) {
    const folder = stage.relayFolder(relay);
    for (const [claims, heedsCancel] of [
      [stubborn, false],
      [heedful, true],
    ] as const) {
      const { id } = await stage.start({ folder, input: { heedsCancel } });
      await stage.event(id, ({ type }) => type === 'operation.intended');
      const asked = await stage.cancel(id, heedsCancel ? graceMs.heedful : graceMs.stubborn);
      stage.prove(claims, { ...(await stage.settle(id)), asked });
    }
  },
};
