import type { Json } from '../../runtime/core/index.ts';
import { under, type Claim } from '../claim.ts';
import { decidedBy } from '../claims/decision-claims.ts';
import { failedWith } from '../claims/end-claims.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { bodiesBegun, historyHolds, resultIs, reusedCheckpoints } from '../claims/operation-claims.ts';
import { attemptsMade, killedAt, processesGone } from '../claims/process-claims.ts';
import { nothingStarted, refusedWith } from '../claims/refusal-claims.ts';
import { serviceDid } from '../claims/service-claims.ts';
import type { RunFacts } from '../run-facts.ts';
import type { Scenario } from '../scenario.ts';
import { person, type Decision } from '../stage.ts';

const relay = 'audit-uncertain';
const point = 'write-line@during';
const input = { line: 'the vault was opened' };
/** What a person gives as the result after a look into the audit log. */
const seenInLog: Json = { line: 1, seenBy: person };
const untilAsked = 'queued → running → needs_reconciliation';
const writtenOnce = serviceDid('audit-log', { attempts: 1, keys: 1, effects: 1 });

/** Each of the three answers, with what the run then ends as. */
const decisions: readonly { decision: Decision; ends: readonly Claim<RunFacts>[] }[] = [
  {
    decision: { kind: 'accept', value: seenInLog },
    ends: [
      goesThrough(`${untilAsked} → queued → running → succeeded`),
      attemptsMade(2),
      reusedCheckpoints(2),
      bodiesBegun('prepare-line once, write-line once, sign-off once'),
      writtenOnce,
      resultIs({ subject: input.line, written: seenInLog }),
    ],
  },
  {
    decision: { kind: 'again' },
    ends: [
      goesThrough(`${untilAsked} → queued → running → succeeded`),
      attemptsMade(2),
      reusedCheckpoints(1),
      bodiesBegun('prepare-line once, write-line twice, sign-off once'),
      serviceDid('audit-log', { attempts: 2, keys: 1, effects: 2 }),
    ],
  },
  {
    decision: { kind: 'fail', message: 'the auditors were told' },
    ends: [
      goesThrough(`${untilAsked} → failed`),
      attemptsMade(1),
      failedWith('relay-failed', person, 'write-line', 'the auditors were told'),
      bodiesBegun('prepare-line once, write-line once'),
      writtenOnce,
    ],
  },
];

const rehearsals = decisions.map(({ decision, ends }) => ({
  decision,
  afterKill: under(decision.kind, [
    killedAt(point),
    goesThrough(untilAsked),
    processesGone,
    historyHolds('prepare-line checkpointed, write-line uncertain'),
    writtenOnce,
  ]),
  undecided: under(`${decision.kind}, before`, [refusedWith('wrong-state', 'decision'), nothingStarted]),
  decided: under(`${decision.kind}, after`, [decidedBy(decision.kind, person), ...ends, processesGone, ...soundLedger]),
}));

export const crashDuringUncertain: Scenario = {
  name: 'crash-during-uncertain',
  title: 'killed in an action that must not be repeated: a person decides, and each of the three answers holds',
  relay,
  crashPlan: [point],
  expects: rehearsals.flatMap(({ afterKill, undecided, decided }) => [...afterKill, ...undecided, ...decided]),
  async play(stage) {
    const folder = stage.relayFolder(relay);
    for (const { decision, afterKill, undecided, decided } of rehearsals) {
      const killed = await stage.play({ folder, input, crashPlan: [point] });
      stage.prove(afterKill, killed);
      const refusal = await stage.recoverInVain(killed);
      stage.prove(undecided, refusal);
      stage.prove(decided, await stage.decide(refusal.after, decision));
    }
  },
};
