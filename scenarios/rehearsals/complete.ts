import { soundLedger, goesThrough } from '../claims/ledger-claims.ts';
import { bodiesBegun, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, processesEnded, processesGone } from '../claims/process-claims.ts';
import { everyAttemptAdmitted } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { calledOnce, orderedOnce, orderInput, orderRelay, orderResult } from './order.ts';

const atEnd = [
  goesThrough('queued → running → succeeded'),
  attemptsMade(1),
  processesEnded('it finished'),
  processesGone,
  reusedCheckpoints(0),
  bodiesBegun('extract once, reserve once, create-order once, confirm once'),
  orderedOnce,
  ...calledOnce,
  resultIs(orderResult),
  everyAttemptAdmitted,
  ...soundLedger,
];

export const complete: Scenario = {
  name: 'complete',
  title: 'an order relay runs to its end without a crash',
  relay: orderRelay,
  crashPlan: [],
  expects: atEnd,
  async play(stage) {
    const folder = stage.relayFolder(orderRelay);
    stage.prove(atEnd, await stage.play({ folder, input: orderInput }));
  },
};
