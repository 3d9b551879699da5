import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { under } from '../claim.ts';
import { failedWith, nondeterminismShows } from '../claims/end-claims.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import type { Scenario } from '../scenario.ts';

const relay = 'nondeterministic';
const entry = 'index.ts';
const point = 'serve-customer@after-checkpoint';
const other = 'recount-till';

const afterKill = under('killed', [
  killedAt(point),
  goesThrough('queued → running → interrupted'),
  processesGone,
  historyHolds('open-till checkpointed, serve-customer checkpointed'),
]);
const failed = under('recovered', [
  goesThrough('queued → running → interrupted → queued → running → failed'),
  failedWith('nondeterminism', 'serve-customer', other),
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(1),
  bodiesBegun('open-till once, serve-customer once'),
  ...soundLedger,
]);
const error = nondeterminismShows('serve-customer', other);

export const nondeterministic: Scenario = {
  name: 'nondeterministic',
  title: 'a relay that branches on the clock outside a step: the second attempt fails and shows where',
  relay,
  crashPlan: [point],
  expects: [...afterKill, ...failed, ...error],
  async play(stage) {
    const folder = stage.relayFolder(relay);
    const killed = await stage.play({ folder, input: {}, crashPlan: [point] });
    stage.prove(afterKill, killed);
    const end = await stage.recover(killed);
    stage.prove(failed, end);
    stage.prove(error, { ...end, line: lineAskingFor(other, folder) });
  },
};

function lineAskingFor(operation: string, folder: string): string {
  const lines = readFileSync(join(folder, entry), 'utf8').split('\n');
  return `${entry}:${lines.findIndex((line) => line.includes(`'${operation}'`)) + 1}`;
}
