import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../../runtime/engine/ports.ts';
import type { OperationId } from '../../../runtime/core/index.ts';
import { openServiceDesk } from '../../../scenarios/services/index.ts';
import { gone, isAlive } from '../../support/process-life.ts';
import { refusalOf } from '../../support/refusal.ts';
import { serviceScripts } from '../../support/service-scripts.ts';
import { DeskBench, type Answered } from './desk-bench.ts';

function pidOf(bench: DeskBench, name: string): number {
  const pid = bench.desk.pid(name);
  if (pid === null) throw new Error(`${name} does not run`);
  return pid;
}

/** `pending` while a promise has not settled, after everything that could settle it now has had its turn. */
async function stateNow(promise: Promise<unknown>, fact: Promise<unknown>): Promise<string> {
  let state = 'pending';
  void promise.then(() => (state = 'settled'));
  await fact;
  return state;
}

describe('the service desk', () => {
  it('starts a service when first asked for, once, on loopback', async () => {
    await using bench = new DeskBench();
    // What the engine asks for is what is given.
    const services: Services = bench.desk satisfies Services;
    expect(bench.desk.pid('audit-log')).toBeNull();
    const [one, two] = await Promise.all([services.baseUrl('audit-log'), services.baseUrl('audit-log')]);
    expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(two).toBe(one);
    expect(bench.desk.pid('order-service')).toBeNull();
  });

  it('names an unknown service and what there is', async () => {
    await using bench = new DeskBench();
    const error = await refusalOf(bench.desk.baseUrl('billing'));
    expect(error.code).toBe('not-found');
    expect(error.message).toBe('there is no service "billing": there is order-service, audit-log');
    const server = await refusalOf(bench.desk.baseUrl('inventory'));
    expect(server.message).toBe('inventory is an MCP server and has no base URL');
    expect(server.next).toContain('"lab:inventory"');
    expect(() => bench.desk.stats('billing')).toThrow('there is no service "billing"');
  });

  it('counts nothing for a service that never ran', async () => {
    await using bench = new DeskBench();
    expect(bench.desk.stats('inventory')).toEqual({ attempts: 0, effects: 0, references: [] });
  });

  it('starts a service that was killed again, with what it had stored', async () => {
    await using bench = new DeskBench();
    const first = await bench.order('run-1:2');
    const pid = pidOf(bench, 'order-service');
    process.kill(pid, 'SIGKILL');
    await gone(pid);
    expect(bench.desk.stats('order-service', 'run-1')).toMatchObject({ attempts: 1, effects: 1 });
    const again = await bench.order('run-1:2');
    expect(pidOf(bench, 'order-service')).not.toBe(pid);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(bench.desk.stats('order-service', 'run-1')).toMatchObject({ attempts: 2, effects: 1 });
  });

  it('says why a service does not start, and tries again when asked again', async () => {
    await using bench = new DeskBench();
    const program = join(import.meta.dirname, '../../fixtures/programs/dies-at-start.mjs');
    const desk = openServiceDesk({
      scripts: { ...serviceScripts, 'audit-log': program },
      folder: bench.folder,
      node: process.execPath,
    });
    const tryTwice = [await refusalOf(desk.baseUrl('audit-log')), await refusalOf(desk.baseUrl('audit-log'))];
    for (const error of tryTwice) {
      expect(error.code).toBe('service-failed');
      expect(error.message).toBe('the service audit-log ended with code 3; it last said: no licence');
    }
    await desk.close();
  });

  it('ends its services and refuses to start more', async () => {
    await using bench = new DeskBench();
    await bench.line('run-1:1');
    const pid = pidOf(bench, 'audit-log');
    await bench.desk.close();
    expect(isAlive(pid)).toBe(false);
    expect((await refusalOf(bench.desk.baseUrl('audit-log'))).code).toBe('service-failed');
  });

  it('is outlived by no service when its host is killed', async () => {
    await using bench = new DeskBench();
    const program = `
      import { openServiceDesk } from ${JSON.stringify(join(import.meta.dirname, '../../../scenarios/services/index.ts'))};
      const desk = openServiceDesk(${JSON.stringify({ scripts: serviceScripts, folder: bench.folder, node: process.execPath })});
      await Promise.all([desk.baseUrl('order-service'), desk.baseUrl('audit-log')]);
      console.log(JSON.stringify([desk.pid('order-service'), desk.pid('audit-log')]));
      setInterval(() => {}, 1000);
    `;
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
    const pids = JSON.parse(line) as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);
    host.kill('SIGKILL');
    await Promise.all(pids.map(gone));
  });
});

describe('holdNext', () => {
  const match = (operation: string) => ({ run: 'run-1', operation: operation as OperationId });

  it('holds the answer back after the work is durable, and frees it when stopped', async () => {
    await using bench = new DeskBench();
    await bench.desk.baseUrl('order-service');
    const hold = await bench.desk.holdNext(match('2'));
    const answer = bench.order('run-1:2');
    expect(await hold.held).toBe('/orders');
    // The order stands in the database while nobody has been told.
    expect(bench.desk.stats('order-service', 'run-1')).toMatchObject({ attempts: 1, effects: 1 });
    const url = await bench.desk.baseUrl('order-service');
    expect(await stateNow(answer, fetch(`${url}/stats`))).toBe('pending');
    hold.stop();
    expect((await answer).status).toBe(201);
  });

  it('holds one answer only: the same request again is answered while the first is held', async () => {
    await using bench = new DeskBench();
    await bench.desk.baseUrl('order-service');
    const hold = await bench.desk.holdNext(match('2'));
    const first = bench.order('run-1:2');
    await hold.held;
    expect((await bench.order('run-1:2')).headers.get('idempotency-replayed')).toBe('true');
    hold.stop();
    await first;
  });

  it('leaves the answers of other runs and other operations alone', async () => {
    await using bench = new DeskBench();
    await bench.desk.baseUrl('order-service');
    const hold = await bench.desk.holdNext(match('2'));
    for (const key of ['run-10:2', 'run-1:3', 'my-run-1:2', null]) expect((await bench.order(key)).status).toBe(201);
    const named = bench.order('shop:run-1:2');
    await hold.held;
    hold.stop();
    await named;
  });

  it('reaches a service that is started after it was asked for', async () => {
    await using bench = new DeskBench();
    const hold = await bench.desk.holdNext(match('4'));
    const answer = bench.line('run-1:4');
    expect(await hold.held).toBe('/lines');
    expect(bench.desk.stats('audit-log', 'run-1')).toMatchObject({ effects: 1 });
    hold.stop();
    await answer;
  });

  it('holds nothing once it is withdrawn', async () => {
    await using bench = new DeskBench();
    await bench.desk.baseUrl('order-service');
    const hold = await bench.desk.holdNext(match('2'));
    hold.stop();
    const url = await bench.desk.baseUrl('order-service');
    await bench.post(`${url}/control/release`, '');
    let isHeld = false;
    void hold.held.then(() => (isHeld = true));
    expect((await bench.order('run-1:2')).status).toBe(201);
    expect(isHeld).toBe(false);
  });

  it('keeps the work of an asker that died while its answer was held', async () => {
    await using bench = new DeskBench();
    const url = await bench.desk.baseUrl('order-service');
    const hold = await bench.desk.holdNext(match('2'));
    const asker = new AbortController();
    const headers = { 'Idempotency-Key': 'run-1:2' };
    const body = JSON.stringify({ customer: 'Ada', items: [{ sku: 'widget', quantity: 3, unitPrice: 250 }] });
    const lost = fetch(`${url}/orders`, { method: 'POST', headers, body, signal: asker.signal }).catch(() => 'lost');
    await hold.held;
    asker.abort();
    expect(await lost).toBe('lost');
    expect((await bench.order('run-1:2')).headers.get('idempotency-replayed')).toBe('true');
    expect(bench.desk.stats('order-service', 'run-1')).toMatchObject({ attempts: 2, effects: 1 });
    hold.stop();
  });

  it('refuses a control request that names no run', async () => {
    await using bench = new DeskBench();
    const url = await bench.desk.baseUrl('audit-log');
    const answer: Answered = await bench.post(`${url}/control/hold`, { operation: '2' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('run');
  });
});
