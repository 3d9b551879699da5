import { describe, expect, it } from 'vitest';
import { toWireError, type EndCause, type OperationId, type Outcome } from '../../../runtime/core/index.ts';
import { RelayTools, type ToolRequest } from '../../../runtime/engine/relay-tools.ts';
import { ToolJournal } from '../../../runtime/engine/tool-journal.ts';
import type { OpenLedger } from '../../../runtime/store/index.ts';
import { openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { intend, testTime } from '../../support/ledger-writes.ts';

const agent = { id: '0' as OperationId, name: 'cashier', tools: new Map([['pay', true]]) };
const paid: Outcome = { ok: true, value: '"paid"' };
const lost: Outcome = { ok: false, error: toWireError(new Error('the book is closed')) };

/** A journal over a real ledger, whose relay the test plays. */
class JournalBench {
  readonly asked: string[] = [];
  readonly ends: EndCause[] = [];
  readonly #ledger: OpenLedger;
  readonly #relay: RelayTools;

  constructor(ledger: OpenLedger, answer: (request: Pick<ToolRequest, 'arguments'>) => Outcome | Promise<Outcome>) {
    this.#ledger = ledger;
    this.#relay = new RelayTools({
      send: (frame) => {
        if (frame.tag !== 'tool') return;
        this.asked.push(`${frame.purpose} ${frame.operation} ${frame.name} ${frame.arguments}`);
        void Promise.resolve(answer(frame)).then((outcome) => this.#relay.answered(frame.call, outcome));
      },
    });
  }

  static async start(answer: (request: Pick<ToolRequest, 'arguments'>) => Outcome | Promise<Outcome>) {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([intend('r', '0', { kind: 'agent', name: 'cashier' })]);
    return { ledger, bench: new JournalBench(ledger, answer) };
  }

  open(): ToolJournal {
    const run = this.#ledger.run('r');
    if (run === null) throw new Error('there is no run');
    const commit = async (unit: Parameters<OpenLedger['commit']>[0]): Promise<void> => {
      await this.#ledger.commit(unit);
    };
    const context = {
      parts: { ledger: this.#ledger, clock: { now: () => testTime + 9 }, recoverMs: 1000 },
      run,
      gate: { reach: () => false, bodyStarts: () => Promise.resolve(), bodyEnds: () => false },
      open: { open: () => undefined, close: () => undefined },
      isOver: () => false,
      commit,
      keep: (unit: Parameters<OpenLedger['commit']>[0]) => void commit(unit),
      end: (cause: EndCause) => this.ends.push(cause),
    };
    return new ToolJournal(context, agent, this.#relay);
  }

  get states(): string[] {
    const operations = this.#ledger.operations('r', { after: null, limit: 99 });
    return operations.map(
      ({ id, name, state, repeatable }) => `${id} ${name} ${state}${repeatable ? '' : ' for a person'}`,
    );
  }
}

describe('calls of an agent that come at once', () => {
  it('of one identity run one body, and all of them get its result', async () => {
    const gate = Promise.withResolvers<Outcome>();
    const { bench, ledger } = await JournalBench.start(() => gate.promise);
    const journal = bench.open();
    const calls = [
      journal.call('pay', '{"a":1,"b":2}'),
      journal.call('pay', '{"b":2,"a":1}'),
      journal.call('pay', '{}'),
    ];
    gate.resolve(paid);
    expect(await Promise.all(calls)).toEqual([paid, paid, paid]);
    await journal.idle();
    expect(bench.asked.toSorted()).toEqual(['run 0.0 pay {"a":1,"b":2}', 'run 0.1 pay {}']);
    expect(bench.states).toEqual(['0 cashier intended', '0.0 pay checkpointed', '0.1 pay checkpointed']);
    await expect
      .poll(() => ledger.events('r', { after: 0, limit: 99 }).filter(({ type }) => type === 'operation.reused'))
      .toHaveLength(1);
  });

  it('are over before their agent is: it waits for those that still work', async () => {
    const gate = Promise.withResolvers<Outcome>();
    const { bench } = await JournalBench.start(({ arguments: text }) => (text === '{}' ? lost : gate.promise));
    const journal = bench.open();
    const slow = journal.call('pay', '{"slow":true}');
    expect(await journal.call('pay', '{}')).toEqual(lost);
    let isIdle = false;
    const idle = journal.idle().then(() => (isIdle = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    gate.resolve(paid);
    await Promise.all([slow, idle]);
    expect(bench.states).toEqual(['0 cashier intended', '0.0 pay checkpointed', '0.1 pay checkpointed']);
    expect(journal.failure()?.facts).toMatchObject({ tool: 'pay', error: { message: 'the book is closed' } });
  });
});

/** Three calls that a death left pending: of two the book knows, of the third it does not. */
async function threePending(known: readonly number[]) {
  const { ledger } = await JournalBench.start(() => paid);
  const call = { kind: 'tool', name: 'pay', repeatable: true } as const;
  await ledger.commit([0, 1, 2].map((n) => intend('r', `0.${n}`, { ...call, arguments: `{"n":${n}}` })));
  await recoverRun(ledger, 'r');
  return new JournalBench(ledger, ({ arguments: text }) =>
    known.includes((JSON.parse(text) as { n: number }).n) ? paid : lost,
  );
}

describe('several calls that a death left pending', () => {
  it('are all settled by their callbacks, with their original arguments, before the agent goes on', async () => {
    const bench = await threePending([0, 1, 2, 3]);
    const journal = bench.open();
    await journal.settlePending();
    expect(bench.asked).toEqual([0, 1, 2].map((n) => `recover 0.${n} pay {"n":${n}}`));
    expect(bench.states.slice(1)).toEqual(['0.0 pay checkpointed', '0.1 pay checkpointed', '0.2 pay checkpointed']);
    expect(await journal.call('pay', '{"n":1}')).toEqual(paid);
    expect(await journal.call('pay', '{"n":3}')).toEqual(paid);
    expect(bench.asked.at(-1)).toBe('run 0.3 pay {"n":3}');
  });

  it('stop for a person when one of them cannot be, and a person is asked about that one alone', async () => {
    const bench = await threePending([0, 2]);
    void bench.open().settlePending();
    await expect.poll(() => bench.ends).toHaveLength(1);
    expect(bench.asked).toHaveLength(3);
    expect(bench.ends[0]).toMatchObject({
      kind: 'unsettled',
      detail: expect.stringContaining('the tool pay (operation 0.1) was interrupted') as string,
    });
    expect(bench.states.slice(1)).toEqual([
      '0.0 pay checkpointed',
      '0.1 pay intended for a person',
      '0.2 pay checkpointed',
    ]);
  });
});
