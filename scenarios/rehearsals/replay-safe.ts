import { under } from '../claim.ts';
import { nobodyAsked } from '../claims/decision-claims.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { everyAttemptAdmitted, serviceDid } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { orderedOnce } from './order.ts';

const relay = 'replay-safe';
const point = 'create-order@during';

const afterKill = under('killed', [
  killedAt(point),
  goesThrough('queued → running → interrupted'),
  processesGone,
  historyHolds('price-order checkpointed, create-order intended'),
  orderedOnce,
]);

const recovered = under('recovered', [
  goesThrough('queued → running → interrupted → queued → running → succeeded'),
  nobodyAsked,
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(1),
  bodiesBegun('price-order once, create-order twice'),
  serviceDid('order-service', { attempts: 2, keys: 1, effects: 1 }),
  resultIs({ orderId: 'order-cec968d2564b' }),
  everyAttemptAdmitted,
  ...soundLedger,
]);

export const replaySafe: Scenario = {
  name: 'replay-safe',
  title: 'the same kill in a step that its author declared safe to repeat: it is repeated, and nobody is asked',
  relay,
  crashPlan: [point],
  expects: [...afterKill, ...recovered],
  async play(stage) {
    const folder = stage.relayFolder(relay);
    const killed = await stage.play({ folder, input: { customer: 'Grace' }, crashPlan: [point] });
    stage.prove(afterKill, killed);
    stage.prove(recovered, await stage.recover(killed));
  },
};
