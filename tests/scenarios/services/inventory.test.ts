import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { gone } from '../../support/process-life.ts';
import { DeskBench } from './desk-bench.ts';

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: { readonly text: string }[];
}

/** The inventory over the SDK's own client, as any MCP client would start it. */
class Inventory {
  readonly pid: number;
  readonly #client: Client;

  private constructor(client: Client, pid: number) {
    this.#client = client;
    this.pid = pid;
  }

  static async start(bench: DeskBench): Promise<Inventory> {
    const server = bench.desk.builtInServers()['inventory'];
    if (server === undefined) throw new Error('the desk has no inventory');
    const transport = new StdioClientTransport({
      command: server.command,
      args: [...server.args],
      env: { ...server.env },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return new Inventory(client, transport.pid ?? 0);
  }

  async call(name: string, args: Record<string, unknown>): Promise<Answer> {
    return (await this.#client.callTool({ name, arguments: args })) as Answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}

const asked = { sku: 'widget', quantity: 2, orderRef: 'run-1:1' };

describe('inventory', () => {
  it('reserves once for an orderRef and gives the first answer again', async () => {
    await using bench = new DeskBench();
    await using inventory = await Inventory.start(bench);
    const first = await inventory.call('reserve', asked);
    expect(first.structuredContent).toEqual({ ...asked, reserved: true });
    expect(await inventory.call('reserve', asked)).toEqual(first);
    expect((await inventory.call('stock', { sku: 'widget' })).structuredContent).toMatchObject({ reserved: 2 });
    expect(bench.desk.stats('inventory', 'run-1')).toEqual({
      attempts: 2,
      effects: 1,
      references: [{ reference: 'run-1:1', attempts: 2, outcomes: ['reserved', 'repeated'], effects: 1 }],
    });
  });

  it('keeps its reservations when it is killed, and two of it share them', async () => {
    await using bench = new DeskBench();
    await using first = await Inventory.start(bench);
    await using second = await Inventory.start(bench);
    await first.call('reserve', asked);
    process.kill(first.pid, 'SIGKILL');
    await gone(first.pid);
    await second.call('reserve', asked);
    expect(bench.desk.stats('inventory')).toMatchObject({ attempts: 2, effects: 1 });
  });

  it('refuses what cannot be reserved, saying why, and reserves nothing', async () => {
    await using bench = new DeskBench();
    await using inventory = await Inventory.start(bench);
    await inventory.call('reserve', asked);
    const refused: [Record<string, unknown>, string][] = [
      [{ ...asked, quantity: 3 }, 'was used before for another'],
      [{ ...asked, sku: 'gizmo', quantity: 4, orderRef: 'x' }, 'only 3 of gizmo can be reserved'],
      [{ ...asked, sku: 'doohickey', orderRef: 'x' }, 'there is gadget, gizmo, widget'],
      [{ sku: 'widget', orderRef: 'x' }, 'quantity'],
      [{ ...asked, quantity: 0, orderRef: 'x' }, 'quantity'],
    ];
    for (const [wrong, sentence] of refused) {
      const answer = await inventory.call('reserve', wrong);
      expect(answer.isError).toBe(true);
      expect(answer.content[0]?.text).toContain(sentence);
    }
    expect(bench.desk.stats('inventory')).toMatchObject({ effects: 1 });
  });
});
