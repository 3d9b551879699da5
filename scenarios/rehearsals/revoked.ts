import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { under } from '../claim.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { denialKept, nothingStarted, refusedWith } from '../claims/refusal-claims.ts';
import { everyAttemptAdmitted } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { calledOnce, orderedOnce, orderInput, orderRelay, orderResult } from './order.ts';

const point = 'reserve@after-checkpoint';
/** A name of its own, so that revoking it touches no other run of the order relay. */
const relayName = `${orderRelay}-revoked`;
const resource = `relay:${relayName}`;

const afterKill = under('killed', [killedAt(point), goesThrough('queued → running → interrupted'), processesGone]);
const denied = under('revoked', [refusedWith('admission-denied', resource), denialKept, nothingStarted]);
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

export const revoked: Scenario = {
  name: 'revoked',
  title: 'permission is withdrawn after a crash: recovery is denied, starts nothing, and goes on once it is given back',
  relay: orderRelay,
  crashPlan: [point],
  expects: [...afterKill, ...denied, ...recovered],
  async play(stage) {
    const folder = stage.relayFolder(orderRelay);
    rename(folder);
    await stage.permit(resource, true);
    const killed = await stage.play({ folder, input: orderInput, crashPlan: [point] });
    stage.prove(afterKill, killed);
    const refusal = await stage.withoutPermission(resource, () => stage.recoverInVain(killed));
    stage.prove(denied, refusal);
    stage.prove(recovered, await stage.recover(refusal.after));
  },
};

function rename(folder: string): void {
  const file = join(folder, 'relay.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...manifest, name: relayName }, null, 2));
}
