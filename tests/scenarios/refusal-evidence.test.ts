import { describe, expect, it } from 'vitest';
import { LabError } from '../../runtime/core/index.ts';
import type { Claim } from '../../scenarios/claim.ts';
import { decidedBy } from '../../scenarios/claims/decision-claims.ts';
import { failedWith, nondeterminismShows, type NondeterminismFacts } from '../../scenarios/claims/end-claims.ts';
import { sameResult } from '../../scenarios/claims/operation-claims.ts';
import { denialKept, nothingStarted, refusedWith } from '../../scenarios/claims/refusal-claims.ts';
import type { RunFacts } from '../../scenarios/run-facts.ts';
import type { RefusalFacts } from '../../scenarios/stage.ts';
import { operationId, orderFacts } from './order-facts.ts';

const good = orderFacts();

function withRun(change: Partial<RunFacts['run']>): RunFacts {
  return { ...good, run: { ...good.run, ...change } };
}

describe('evidence about a comparison', () => {
  const plain: RunFacts = { ...good, run: { ...good.run, id: 'run-2' } };

  it('holds when the killed run and the plain one have the same result', () => {
    expect(sameResult.look({ killed: good, plain }).ok).toBe(true);
  });

  it.each([
    ['the results differ', withRun({ result: { total: 1 } }), plain],
    ['the killed run did not succeed', withRun({ state: 'failed' }), plain],
    ['a run is compared with itself', good, good],
  ])('falls when %s', (_what, killed, other) => {
    expect(sameResult.look({ killed, plain: other }).ok).toBe(false);
  });
});

describe('evidence about a refusal', () => {
  const before: RunFacts = { ...good, receipts: good.receipts.slice(0, 6) };
  const denial = {
    ...good.receipts[0],
    id: 99,
    ok: false,
    data: { reason: 'the permission on relay:x is revoked' },
  } as RunFacts['receipts'][number];
  const after: RunFacts = { ...before, receipts: [...before.receipts, denial] };
  const refusal = new LabError('admission-denied', 'the permission on relay:x is revoked');
  const facts: RefusalFacts = { refusal, before, after };
  const refused = refusedWith('admission-denied', 'relay:x');

  it('holds of one that is as expected', () => {
    for (const claim of [refused, nothingStarted, denialKept]) expect(claim.look(facts)).toMatchObject({ ok: true });
  });

  it.each([
    ['it was not refused', refused, { ...facts, refusal: null }],
    ['it was refused for another reason', refused, { ...facts, refusal: new LabError('conflict', 'relay:x') }],
    ['the error does not name the cause', refused, { ...facts, refusal: new LabError('admission-denied', 'no') }],
    ['the run was moved', nothingStarted, { ...facts, after: { ...after, run: { ...after.run, revision: 7 } } }],
    ['an attempt was made', nothingStarted, { ...facts, after: { ...after, attempts: [] } }],
    ['a process lives', nothingStarted, { ...facts, after: { ...after, living: [103] } }],
    [
      'a process was spawned and no attempt says so',
      nothingStarted,
      { ...facts, after: { ...after, events: after.events.filter(({ type }) => type !== 'attempt.spawned') } },
    ],
    [
      'a service was asked',
      nothingStarted,
      {
        ...facts,
        after: { ...after, services: { ...good.services, inventory: { attempts: 2, effects: 1, keys: [] } } },
      },
    ],
    ['no receipt was kept', denialKept, { ...facts, after: before }],
    [
      'the receipt gives no reason',
      denialKept,
      { ...facts, after: { ...after, receipts: [...before.receipts, { ...denial, data: {} }] } },
    ],
    [
      'the receipt says it was granted',
      denialKept,
      { ...facts, after: { ...after, receipts: [...before.receipts, { ...denial, ok: true }] } },
    ],
  ] as const)('falls when %s', (_what, claim, wrong) => {
    expect(claim.look(wrong).ok).toBe(false);
  });
});

describe('evidence about a decision', () => {
  const claim = decidedBy('again', 'ada');
  const decided: RunFacts = {
    ...good,
    events: [
      {
        ...good.events[0],
        type: 'operation.decided',
        operation: operationId('1'),
        data: { revision: 4, decision: 'again', by: 'ada' },
      } as RunFacts['events'][number],
    ],
    receipts: [
      { ...good.receipts[0], kind: 'reconciliation', operation: operationId('1') } as RunFacts['receipts'][number],
    ],
  };

  it('holds when event and receipt tell of it', () => {
    expect(claim.look(decided)).toMatchObject({ ok: true });
  });

  it.each([
    ['nobody decided', good],
    ['there is no receipt', { ...decided, receipts: [] }],
    ['the receipt is of another operation', { ...decided, receipts: [{ ...decided.receipts[0], operation: null }] }],
    ['it was decided twice', { ...decided, events: [...decided.events, ...decided.events] }],
  ])('falls when %s', (_what, facts) => {
    expect(claim.look(facts as RunFacts).ok).toBe(false);
  });
});

describe('evidence about an error', () => {
  const failed = withRun({
    state: 'failed',
    error: {
      name: 'NondeterminismError',
      message: 'operation 1 (index.ts:11): history holds step "serve", but the relay asked for step "count"',
      stack: null,
      code: 'nondeterminism',
      fields: {
        expected: { kind: 'step', name: 'serve', arguments: null },
        found: { kind: 'step', name: 'count', arguments: null },
        source: 'index.ts:11',
      },
      cause: null,
    },
  });
  const facts = { ...failed, line: 'index.ts:11' };
  const shows = nondeterminismShows('serve', 'count');
  const named = failedWith('nondeterminism', 'serve', 'count');
  const all: readonly Claim<NondeterminismFacts>[] = [...shows, named];

  it('holds when it names what it must', () => {
    for (const claim of all) expect(claim.look(facts)).toMatchObject({ ok: true });
  });

  it('falls for another code, another operation or another line', () => {
    const others = nondeterminismShows('count', 'serve');
    expect(others.slice(0, 2).map((claim) => claim.look(facts).ok)).toEqual([false, false]);
    expect(shows[2]?.look({ ...facts, line: 'index.ts:12' }).ok).toBe(false);
    expect(failedWith('budget-spent').look(failed).ok).toBe(false);
    expect(failedWith('nondeterminism', 'budget of 3').look(failed).ok).toBe(false);
    expect(named.look({ ...failed, run: { ...failed.run, state: 'succeeded' } }).ok).toBe(false);
    for (const claim of all) expect(claim.look({ ...good, line: 'index.ts:11' }).ok).toBe(false);
  });
});
