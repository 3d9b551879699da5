import { under } from '../claim.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, reusedCheckpoints, sameResult } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { everyAttemptAdmitted, serviceDid } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { calledOnce, orderedOnce, orderInput, orderRelay } from './order.ts';

const point = 'create-order@during';

const afterKill = under('killed', [
  killedAt(point),
  goesThrough('queued → running → interrupted'),
  processesGone,
  historyHolds('extract checkpointed, reserve checkpointed, create-order intended'),
  orderedOnce,
]);

const recovered = under('recovered', [
  goesThrough('queued → running → interrupted → queued → running → succeeded'),
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(2),
  bodiesBegun('extract once, reserve once, create-order twice, confirm once'),
  serviceDid('order-service', { attempts: 2, keys: 1, effects: 1 }),
  ...calledOnce,
  everyAttemptAdmitted,
  ...soundLedger,
]);

export const crashDuringSafe: Scenario = {
  name: 'crash-during-safe',
  title: 'killed after the service stored the order, before its answer came: asked again with the same key, one order',
  relay: orderRelay,
  crashPlan: [point],
  expects: [...afterKill, ...recovered, sameResult],
  async play(stage) {
    const folder = stage.relayFolder(orderRelay);
    const killed = await stage.play({ folder, input: orderInput, crashPlan: [point] });
    stage.prove(afterKill, killed);
    const end = await stage.recover(killed);
    stage.prove(recovered, end);
    stage.prove([sameResult], { killed: end, plain: await stage.play({ folder, input: orderInput }) });
  },
};
