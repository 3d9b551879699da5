import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { under } from '../claim.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { nothingStarted, refusedWith } from '../claims/refusal-claims.ts';
import { everyAttemptAdmitted } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { calledOnce, orderedOnce, orderInput, orderRelay, orderResult } from './order.ts';

const point = 'reserve@after-checkpoint';
const entry = 'index.ts';

const afterKill = under('killed', [killedAt(point), goesThrough('queued → running → interrupted'), processesGone]);
const refused = under('edited', [refusedWith('binding-changed', 'release', entry), nothingStarted]);
const recovered = under('restored', [
  goesThrough('queued → running → interrupted → queued → running → succeeded'),
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(2),
  bodiesBegun('extract once, reserve once, create-order once, confirm once'),
  orderedOnce,
  ...calledOnce,
  resultIs(orderResult),
  everyAttemptAdmitted,
  ...soundLedger,
]);

export const changedSource: Scenario = {
  name: 'changed-source',
  title:
    'the relay is edited between crash and recovery: refused by the binding that changed, until the bytes are back',
  relay: orderRelay,
  crashPlan: [point],
  expects: [...afterKill, ...refused, ...recovered],
  async play(stage) {
    const folder = stage.relayFolder(orderRelay);
    const killed = await stage.play({ folder, input: orderInput, crashPlan: [point] });
    stage.prove(afterKill, killed);
    const file = join(folder, entry);
    const bytes = readFileSync(file);
    appendFileSync(file, '\n// one line more\n');
    const refusal = await stage.recoverInVain(killed);
    stage.prove(refused, refusal);
    writeFileSync(file, bytes);
    stage.prove(recovered, await stage.recover(refusal.after));
  },
};
