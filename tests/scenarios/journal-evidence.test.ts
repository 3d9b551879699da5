import { describe, expect, it } from 'vitest';
import type { LabEvent, Receipt } from '../../runtime/contract/index.ts';
import type { Claim } from '../../scenarios/claim.ts';
import { recoverAsked, settledFirst } from '../../scenarios/claims/journal-claims.ts';
import type { RunFacts } from '../../scenarios/run-facts.ts';
import { operationId, orderFacts } from './order-facts.ts';

const order = orderFacts();
const call = operationId('0.0');

/** An order run whose agent `extract` is journaled, and whose tool `look_up` was settled in the second attempt. */
const good: RunFacts = {
  ...order,
  operations: order.operations.flatMap((one) =>
    one.name === 'extract' ? [one, { ...one, id: call, kind: 'tool' as const, name: 'look_up', attempt: 2 }] : [one],
  ),
  receipts: [...order.receipts, receipt({})],
  events: [...order.events, event(22, 'operation.checkpointed'), event(23, 'operation.reused')],
};

function receipt(change: Partial<Receipt>): Receipt {
  const data = { agent: 'extract', purpose: 'recover', result: null };
  return {
    id: 8,
    run: 'run-1',
    attempt: 2,
    operation: call,
    kind: 'tool',
    name: 'look_up (recover)',
    ok: true,
    at: 8,
    durationMs: 1,
    data,
    ...change,
  };
}

function event(sequence: number, type: LabEvent['type'], attempt = 2): LabEvent {
  return { run: 'run-1', sequence, at: sequence, type, attempt, operation: call, data: { ok: true } };
}

function withReceipts(...receipts: Receipt[]): RunFacts {
  return { ...good, receipts: [...order.receipts, ...receipts] };
}

function withEvents(...events: LabEvent[]): RunFacts {
  return { ...good, events: [...order.events, ...events] };
}

const claims: readonly (readonly [Claim<RunFacts>, Readonly<Record<string, RunFacts>>])[] = [
  [
    recoverAsked('look_up', 'asked once in attempt 2, and it answered'),
    {
      'it was never asked': withReceipts(),
      'it was asked twice in one attempt': withReceipts(receipt({}), receipt({ id: 9 })),
      'it was asked in another attempt too': withReceipts(receipt({ attempt: 1 }), receipt({ id: 9 })),
      'it could not tell': withReceipts(receipt({ ok: false })),
      'the tool itself ran': withReceipts(receipt({ data: { agent: 'extract', purpose: 'run' } })),
      'there is no such call': { ...good, operations: order.operations },
      'another tool was asked': withReceipts(receipt({ name: 'other (recover)' })),
    },
  ],
  [
    settledFirst('look_up', 'extract'),
    {
      'the agent asked before it was settled': withEvents(
        event(22, 'operation.reused'),
        event(23, 'operation.checkpointed'),
      ),
      'the agent never asked': withEvents(event(22, 'operation.checkpointed')),
      'it was settled before the kill': withEvents(
        event(22, 'operation.checkpointed', 1),
        event(23, 'operation.reused'),
      ),
      'there is no such call': { ...good, operations: order.operations },
    },
  ],
];

describe('evidence about a tool journal', () => {
  it.each(claims)('$name holds of facts that are as expected', (claim) => {
    expect(claim.look(good)).toMatchObject({ ok: true });
  });

  const wrong = claims.flatMap(([claim, cases]) =>
    Object.entries(cases).map(([what, facts]) => ({ name: claim.name, what, claim, facts })),
  );
  it.each(wrong)('$name falls when $what', ({ claim, facts }) => {
    const { ok, actual } = claim.look(facts);
    expect(ok).toBe(false);
    expect(actual).not.toBe(claim.expected);
  });
});
