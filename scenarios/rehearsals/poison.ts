import { limits } from '../../runtime/core/index.ts';
import { failedWith } from '../claims/end-claims.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, processesEnded, processesGone } from '../claims/process-claims.ts';
import { everyAttemptAdmitted } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';

const relay = 'poison';
const died = 'it was ended by SIGKILL';
const again = 'running → interrupted → queued →';

const atEnd = [
  goesThrough(`queued → ${again} ${again} running → failed`),
  failedWith('budget-spent', `attempt budget of ${limits.attempts}`),
  attemptsMade(3),
  processesEnded(died, died, died),
  processesGone,
  historyHolds('pour checkpointed, swallow intended'),
  bodiesBegun('pour once, swallow 3 times'),
  reusedCheckpoints(1),
  everyAttemptAdmitted,
  ...soundLedger,
];

export const poison: Scenario = {
  name: 'poison',
  title: 'a relay that dies at the same operation every time: three attempts, then it is left in peace',
  relay,
  crashPlan: [],
  expects: atEnd,
  async play(stage) {
    const folder = stage.relayFolder(relay);
    stage.prove(atEnd, await stage.play({ folder, input: {}, recovery: 'immediate' }));
  },
};
