import { describe, expect, it } from 'vitest';
import { joinLedgers, type JoinedLedgers } from '../../renderer/ledgers/join-ledgers.ts';
import { placeLedgers } from '../../renderer/ledgers/place-ledgers.ts';
import { sayTotals, sumLedgers } from '../../renderer/ledgers/sum-ledgers.ts';
import { RunStory } from './run-story.ts';

const services = ['order-service', 'audit-log', 'inventory'];

function join(story: RunStory, uncertain: string[] = []): JoinedLedgers {
  const { run, receipts, records } = story;
  const { operations } = story.history();
  return joinLedgers({ run, operations, receipts, records, services, uncertain: new Set(uncertain) });
}

/** An operation that asked for a service's address, as every relay does before its first request. */
function asking(story: RunStory, operation: string, service: string): RunStory {
  return story.receipt('admission', operation, `service ${service}`, { connections: [`service:${service}`] });
}

function row({ operations }: JoinedLedgers, id: string): JoinedLedgers['operations'][number] {
  const found = operations.find(({ operation }) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Reserve by MCP under the run's own key, then an order under the operation's key; as in the relay order-fulfilment. */
function complete(): RunStory {
  const story = new RunStory().attempt().begin('0', 'reserve', 1, 'mcp');
  story.receipt('admission', '0', 'reserve', { connections: ['mcp:inventory'] });
  story.request('inventory', null, 'reserved', 'reserve');
  story.receipt('mcp', '0', 'inventory.reserve', {
    ...{ server: 'inventory', tool: 'reserve', arguments: { orderRef: story.run } },
  });
  story.done('0').begin('1', 'create-order');
  return asking(story, '1', 'order-service').request('order-service', '1', 'created').done('1');
}

describe('joinLedgers', () => {
  it('finds each effect exactly once in a run without a crash, also under a key that names no operation', () => {
    const joined = join(complete());
    expect(row(joined, '0').keys.map(({ service, reference }) => [service, reference])).toEqual([
      ['inventory', 'run-1'],
    ]);
    expect(row(joined, '1').keys.map(({ service, reference }) => [service, reference])).toEqual([
      ['order-service', 'run-1:1'],
    ]);
    expect(joined.operations.map(({ verdict }) => verdict.kind)).toEqual(['once', 'once']);
    expect(joined.unowned).toEqual([]);
    expect(sumLedgers(joined)).toMatchObject({
      lost: 0,
      doubled: 0,
      requests: 2,
      effects: 2,
      checkpoints: 2,
      bodies: 2,
    });
  });

  it('tells two requests with one key and one order as repeated safely', () => {
    const story = asking(new RunStory().attempt().begin('0', 'create-order'), '0', 'order-service');
    story.request('order-service', '0', 'created').killed().attempt().begin('0', 'create-order', 2);
    asking(story, '0', 'order-service').request('order-service', '0', 'repeated').done('0');
    const joined = join(story);
    expect(row(joined, '0')).toMatchObject({ requests: 2, effects: 1, doubled: 0, lost: [] });
    expect(row(joined, '0').verdict).toEqual({
      ...{ kind: 'repeated', words: '1 effect for 2 requests with one key: repeated safely' },
    });
    const totals = sumLedgers(joined);
    expect(totals).toMatchObject({ lost: 0, doubled: 0, repeated: 1, bodies: 2 });
    expect(sayTotals(totals, joined, true)).toContain('1 request repeated safely');
  });

  it('says of an uncertain audit line that it stands and that the program cannot know', () => {
    const story = asking(new RunStory().attempt().begin('0', 'write-line'), '0', 'audit-log');
    story.request('audit-log', '0', 'appended', '/lines').killed();
    expect(row(join(story, ['0']), '0').verdict.kind).toBe('unknown');
    expect(sumLedgers(join(story, ['0']))).toMatchObject({ lost: 0, doubled: 0, unconfirmed: 1 });
    // The same where repeating it is harmless: nobody has to decide.
    expect(row(join(story), '0').verdict.kind).toBe('ahead');
  });

  it('counts an effect that two bodies left as doubled, with one key and with a fresh key each time', () => {
    for (const key of ['', 'fresh']) {
      const story = asking(new RunStory().attempt().begin('0', 'write-line'), '0', 'audit-log');
      story.request('audit-log', '0', 'appended', '/lines').killed().attempt().begin('0', 'write-line', 2);
      story.request('audit-log', '0', 'appended', '/lines', key).done('0');
      const joined = join(story);
      expect(row(joined, '0')).toMatchObject({ effects: 2, doubled: 1, verdict: { kind: 'doubled' } });
      expect(sayTotals(sumLedgers(joined), joined, true)).toContain('Doubled in 0 write-line.');
    }
  });

  it('counts an effect that two tries inside one attempt left as doubled', () => {
    const story = new RunStory()
      .attempt()
      .begin('0', 'write-line')
      .request('audit-log', '0', 'appended', '/lines', 'a');
    const error = { name: 'Error', message: 'late', stack: null, code: null, fields: {}, cause: null };
    story.add('operation.try', '0', { number: 1, error, retryInMs: 1 });
    story.at += 5;
    story.request('audit-log', '0', 'appended', '/lines', 'b').done('0');
    expect(row(join(story), '0')).toMatchObject({ doubled: 1 });
  });

  it('does not call two orders of one body doubled, nor when they are finished by the next body', () => {
    const story = new RunStory().attempt().begin('0', 'create-orders');
    story.request('order-service', '0', 'created', '/orders', 'a').killed().attempt().begin('0', 'create-orders', 2);
    story.request('order-service', '0', 'repeated', '/orders', 'a');
    story.request('order-service', '0', 'created', '/orders', 'b').done('0');
    expect(row(join(story), '0')).toMatchObject({ requests: 3, effects: 2, doubled: 0, verdict: { kind: 'repeated' } });
  });

  it('counts an effect as lost when the checkpoint says done and the service has nothing', () => {
    const story = complete();
    story.records.length = 0;
    const joined = join(story);
    expect(joined.operations.map(({ lost }) => lost)).toEqual([['inventory'], ['order-service']]);
    expect(joined.operations.map(({ verdict }) => verdict.kind)).toEqual(['lost', 'lost']);
    expect(sumLedgers(joined).lost).toBe(2);
    expect(sayTotals(sumLedgers(joined), joined, true)).toContain('Lost in 0 reserve, 1 create-order.');
  });

  it('calls nothing lost at a service whose records it does not see, in an open operation, or after a mere question', () => {
    const other = asking(new RunStory().attempt().begin('0', 'pay'), '0', 'payments').done('0');
    expect(sumLedgers(join(other)).lost).toBe(0);
    const open = asking(new RunStory().attempt().begin('0', 'create-order'), '0', 'order-service');
    expect(sumLedgers(join(open)).lost).toBe(0);
    const question = new RunStory().attempt().begin('0', 'stock', 1, 'mcp');
    question.receipt('admission', '0', 'stock', { connections: ['mcp:inventory'] });
    question.receipt('mcp', '0', 'inventory.stock', {
      ...{ server: 'inventory', tool: 'stock', arguments: { sku: 'widget' } },
    });
    expect(sumLedgers(join(question.done('0'))).lost).toBe(0);
  });

  it('names a request that no operation accounts for', () => {
    const story = complete().request('order-service', '9', 'created').request('audit-log', null, 'appended', '/lines');
    const joined = join(story);
    expect(joined.unowned.map(({ service, reference }) => [service, reference])).toEqual([
      ['order-service', 'run-1:9'],
      ['audit-log', 'run-1'],
    ]);
    expect(sumLedgers(joined)).toMatchObject({ unowned: 2, requests: 4, lost: 0, doubled: 0 });
  });

  it('gives requests under the key of the run to the operation that was at work then, of two that turned to the service', () => {
    const story = new RunStory().attempt();
    for (const id of ['0', '1']) {
      story.begin(id, `reserve-${id}`, 1, 'mcp');
      story.receipt('admission', id, 'reserve', { connections: ['mcp:inventory'] });
      story.request('inventory', null, id === '0' ? 'reserved' : 'repeated', 'reserve').done(id);
    }
    const joined = join(story);
    expect(joined.operations.map(({ keys }) => keys.map(({ requests }) => requests.map(({ id }) => id)))).toEqual([
      [[1]],
      [[2]],
    ]);
    expect(row(joined, '1').verdict.kind).toBe('repeated');
  });
});

describe('placeLedgers', () => {
  it('draws one line from each body to the request that it made, and overlaps nothing', () => {
    const story = asking(new RunStory().attempt().begin('0', 'create-order'), '0', 'order-service');
    story.request('order-service', '0', 'created').killed().attempt().begin('0', 'create-order', 2);
    story.request('order-service', '0', 'repeated').done('0').begin('1', 'confirm').done('1');
    const placed = placeLedgers(join(story), story.history().attempts);
    const [first] = placed.operations;
    const lineOf = (body: number): number => first?.lines.findIndex((line) => line.body === body) ?? -1;
    expect(placed.connectors.map(({ look }) => look)).toEqual(['done', 'reused']);
    const [one, two] = placed.connectors;
    expect((two?.from ?? 0) - (one?.from ?? 0)).toBe((lineOf(1) - lineOf(0)) * 20);
    for (const column of [placed.operations, placed.keys]) {
      for (const [place, card] of column.entries()) {
        const next = column[place + 1];
        if (next !== undefined) expect(card.top + card.height).toBeLessThan(next.top);
        expect(card.top + card.height).toBeLessThanOrEqual(placed.height);
      }
    }
  });

  it('names an operation that is done and concerns no service in one line', () => {
    const story = new RunStory().attempt().begin('0', 'think').done('0').begin('1', 'go-on');
    const placed = placeLedgers(join(story), story.history().attempts);
    expect(placed.operations.map(({ lines }) => lines.length)).toEqual([0, 2]);
  });

  it('leads from a lost effect to the place where it should be', () => {
    const story = complete();
    story.records.pop();
    const placed = placeLedgers(join(story), story.history().attempts);
    expect(placed.holes.map(({ service, owner }) => [service, owner.operation.id])).toEqual([['order-service', '1']]);
    expect(placed.connectors.filter(({ isDashed }) => isDashed)).toHaveLength(1);
  });

  it('keeps the first and the last entries of an operation that was begun very often', () => {
    const story = new RunStory();
    for (let body = 1; body <= 30; body += 1) story.attempt().begin('0', 'poison', body).killed();
    const [placed] = placeLedgers(join(story), story.history().attempts).operations;
    const words = placed?.lines.map((line) => line.words) ?? [];
    expect(words.length).toBe(8);
    expect(words[0]).toBe('body begun · attempt 1');
    expect(words.find((line) => line.includes('more entries'))).toBe('54 more entries');
    expect(words.at(-1)).toBe('no checkpoint');
  });
});
