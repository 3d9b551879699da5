import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serviceScripts } from '../../support/service-scripts.ts';
import { anOrder, DeskBench } from './desk-bench.ts';

describe('order-service', () => {
  it('answers an order with its number and total', async () => {
    await using bench = new DeskBench();
    const first = await bench.order('run-1:2');
    expect(first).toMatchObject({ status: 201, body: { customer: 'Ada', total: 750 } });
    expect(first.body).toHaveProperty('orderId', expect.stringMatching(/^order-[0-9a-f]{12}$/));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
  });

  it('gives the first answer again for the same key and body, and says so', async () => {
    await using bench = new DeskBench();
    const first = await bench.order('run-1:2');
    const reordered = { items: [{ unitPrice: 250, quantity: 3, sku: 'widget' }], customer: 'Ada' };
    const again = await bench.order('run-1:2', reordered);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(bench.desk.stats('order-service')).toEqual({
      attempts: 2,
      effects: 1,
      references: [{ reference: 'run-1:2', attempts: 2, outcomes: ['created', 'repeated'], effects: 1 }],
    });
  });

  it('refuses the same key with another body', async () => {
    await using bench = new DeskBench();
    await bench.order('run-1:2');
    const other = await bench.order('run-1:2', { ...anOrder, customer: 'Bob' });
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'key-reused' } } });
    expect(bench.desk.stats('order-service')).toMatchObject({ attempts: 2, effects: 1 });
  });

  it('makes an order of each request that has no key', async () => {
    await using bench = new DeskBench();
    await bench.order(null);
    await bench.order(null);
    expect(bench.desk.stats('order-service')).toMatchObject({ attempts: 2, effects: 2 });
  });

  it('makes one order of many requests at once with one key', async () => {
    await using bench = new DeskBench();
    await bench.desk.baseUrl('order-service');
    const answers = await Promise.all(Array.from({ length: 8 }, () => bench.order('run-1:2')));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(bench.desk.stats('order-service')).toMatchObject({ attempts: 8, effects: 1 });
  });

  it.each([
    ['no JSON', '{"customer":', 'the body is not JSON'],
    ['no items', { ...anOrder, items: [] }, 'items'],
    ['a fraction', { ...anOrder, items: [{ sku: 'x', quantity: 0.5, unitPrice: 1 }] }, 'items[0].quantity'],
    ['a key too many', { ...anOrder, discount: 1 }, 'discount'],
  ])('refuses a body with %s, naming the place, and leaves no order', async (_, body, place) => {
    await using bench = new DeskBench();
    const answer = await bench.order('run-1:2', body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(place);
    expect(bench.desk.stats('order-service')).toMatchObject({ attempts: 1, effects: 0 });
  });

  it('refuses a body over its limit, and a key that is too long', async () => {
    await using bench = new DeskBench();
    expect((await bench.order('run-1:2', 'x'.repeat(64 * 1024 + 1))).status).toBe(413);
    expect((await bench.order('k'.repeat(256))).status).toBe(400);
    expect(bench.desk.stats('order-service')).toMatchObject({ attempts: 0, effects: 0 });
  });

  it('tells its own counts, of all or of one run', async () => {
    await using bench = new DeskBench();
    await bench.order('run-1:2');
    await bench.order('run-10:2');
    const url = await bench.desk.baseUrl('order-service');
    expect(await (await fetch(`${url}/stats`)).json()).toMatchObject({ attempts: 2, effects: 2 });
    expect(await (await fetch(`${url}/stats?run=run-1`)).json()).toMatchObject({ attempts: 1, effects: 1 });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });
});

describe('audit-log', () => {
  it('appends every line, also one with a reference that it has seen', async () => {
    await using bench = new DeskBench();
    await bench.line('run-1:4');
    expect(await bench.line('run-1:4')).toMatchObject({ status: 201, body: { line: 2 } });
    expect(bench.desk.stats('audit-log', 'run-1')).toEqual({
      attempts: 2,
      effects: 2,
      references: [{ reference: 'run-1:4', attempts: 2, outcomes: ['appended', 'appended'], effects: 2 }],
    });
  });

  it('says what a reference has left, which counts as no request', async () => {
    await using bench = new DeskBench();
    await bench.line('run-1:4', 'opened');
    await bench.line('run-1:5', 'closed');
    const url = `${await bench.desk.baseUrl('audit-log')}/lines`;
    const find = async (query: string): Promise<unknown> => (await fetch(url + query)).json();
    expect(await find('?reference=run-1:4')).toEqual({ lines: [{ line: 1, text: 'opened' }] });
    expect(await find('?reference=run-1:6')).toEqual({ lines: [] });
    expect(await find('')).toMatchObject({ error: { code: 'invalid-input' } });
    expect(bench.desk.stats('audit-log')).toMatchObject({ attempts: 2, effects: 2 });
  });

  it('refuses an empty line', async () => {
    await using bench = new DeskBench();
    expect((await bench.line('run-1:4', '')).status).toBe(400);
    expect(bench.desk.stats('audit-log')).toMatchObject({ attempts: 1, effects: 0 });
  });
});

describe('a service by itself', () => {
  it('asks for its database and ends with code 2', async () => {
    const child = spawn(process.execPath, [serviceScripts['audit-log']], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [[said], [code]] = (await Promise.all([once(child.stderr, 'data'), once(child, 'exit')])) as [
      [Buffer],
      [number],
    ];
    expect(said.toString()).toContain('expected --db FILE');
    expect(code).toBe(2);
  });
});
