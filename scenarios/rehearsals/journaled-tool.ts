import type { Json } from '../../runtime/core/index.ts';
import { under } from '../claim.ts';
import { decidedBy, nobodyAsked } from '../claims/decision-claims.ts';
import { recoverAsked, settledFirst } from '../claims/journal-claims.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { nothingStarted, refusedWith } from '../claims/refusal-claims.ts';
import { everyAttemptAdmitted, serviceDid } from '../claims/service-claims.ts';
import type { Scenario } from '../scenario.ts';
import { person } from '../stage.ts';

const relay = 'journaled-tool';
const point = 'write_line@during';
const order = { entry: 'opening', line: 'the vault was opened' };
const result: Json = { entry: order.entry, written: order.line };
/** What a person gives as the tool's result after a look into the audit log. */
const seenInLog: Json = { entry: order.entry, written: `seen by ${person}` };
const writtenOnce = serviceDid('audit-log', { attempts: 1, keys: 1, effects: 1 });

const killed = under('with recover, killed', [
  killedAt(point),
  goesThrough('queued → running → interrupted'),
  processesGone,
  historyHolds('clerk intended, write_line intended'),
  writtenOnce,
]);

const recovered = under('with recover, recovered', [
  goesThrough('queued → running → interrupted → queued → running → succeeded'),
  nobodyAsked,
  recoverAsked('write_line', 'asked once in attempt 2, and it answered'),
  settledFirst('write_line', 'clerk'),
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(1),
  bodiesBegun('clerk twice, write_line once'),
  writtenOnce,
  resultIs(result),
  everyAttemptAdmitted,
  ...soundLedger,
]);

const stopped = under('without recover, killed', [
  killedAt(point),
  goesThrough('queued → running → needs_reconciliation'),
  processesGone,
  historyHolds('clerk intended, write_line uncertain'),
  writtenOnce,
]);
const undecided = under('without recover, before the decision', [
  refusedWith('wrong-state', 'decision'),
  nothingStarted,
]);
const decided = under('without recover, decided', [
  decidedBy('accept', person),
  goesThrough('queued → running → needs_reconciliation → queued → running → succeeded'),
  recoverAsked('write_line', 'never asked'),
  attemptsMade(2),
  processesGone,
  reusedCheckpoints(1),
  bodiesBegun('clerk twice, write_line once'),
  writtenOnce,
  resultIs(seenInLog),
  ...soundLedger,
]);

export const journaledTool: Scenario = {
  name: 'journaled-tool',
  title: 'killed in a tool of an agent with recovery "restart": its callback finds out, or a person decides',
  relay,
  crashPlan: [point],
  expects: [...killed, ...recovered, ...stopped, ...undecided, ...decided],
  async play(stage) {
    const folder = stage.relayFolder(relay);
    const first = await stage.play({ folder, input: { ...order, canRecover: true }, crashPlan: [point] });
    stage.prove(killed, first);
    stage.prove(recovered, await stage.recover(first));
    const second = await stage.play({ folder, input: { ...order, canRecover: false }, crashPlan: [point] });
    stage.prove(stopped, second);
    const refusal = await stage.recoverInVain(second);
    stage.prove(undecided, refusal);
    stage.prove(decided, await stage.decide(refusal.after, { kind: 'accept', value: seenInLog }));
  },
};
