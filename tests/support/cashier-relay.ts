import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../runtime/contract/index.ts';
import type { Json } from '../../runtime/core/index.ts';
import type { EngineLab } from './engine-lab.ts';
import { RelayFolder } from './relay-folder.ts';

/** How the relay's tool `pay` behaves; `recover` is what its callback does, null for a tool without one. */
export interface CashierInput {
  readonly recover?: 'sync' | 'async' | 'asks' | 'throws' | 'undefined' | 'function' | 'hangs' | 'gone' | 'dies' | null;
  readonly run?: 'works' | 'throws' | 'function' | 'big' | 'nested';
  readonly caught?: boolean;
  /** The agent is called inside a step, so that it is nested itself. */
  readonly inStep?: boolean;
}

/**
 * The tools note each start of their code in a file of the run's folder, apart from the ledger, where the callback can
 * look a payment up as it would in a service's book.
 */
const entry = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent, tool } from 'agentworks';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const note = (line) => appendFileSync('notes.txt', line + '\\n');
const noted = (line) => existsSync('notes.txt') && readFileSync('notes.txt', 'utf8').split('\\n').includes(line);
const receipt = ({ order }) => ({ receipt: 'r-' + order });

const runs = {
  works: receipt,
  throws: () => { throw Object.assign(new Error('the card was refused'), { code: 'card-refused' }); },
  function: () => ({ receipt: { open: () => 1 } }),
  big: () => 'x'.repeat(128 * 1024),
  nested: () => agent({ name: 'inner', systemPrompt: '', userMessage: '' }),
};
const recovers = {
  sync: receipt,
  async: async (args) => { await new Promise((resolve) => setTimeout(resolve, 5)); return receipt(args); },
  asks: (args) => { if (!noted('pay ' + args.order)) throw new Error('the book has no such payment'); return receipt(args); },
  throws: () => { throw new Error('the book cannot be opened'); },
  undefined: () => undefined,
  function: () => ({ receipt: () => 1 }),
  hangs: () => new Promise(() => undefined),
  gone: receipt,
  dies: () => process.kill(process.pid, 'SIGKILL'),
};

export const run = DBOS.registerWorkflow(async (input) => {
  const { recover = null, caught = false } = input;
  const pay = tool({
    name: 'pay',
    schema: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    run: (args) => { note('pay ' + args.order); return runs[input.run ?? 'works'](args); },
    ...(recover === null ? {} : { recover: (args) => { note('asked ' + JSON.stringify(args)); return recovers[recover](args); } }),
  });
  const ship = tool({ name: 'ship', run: (args) => { note('ship ' + JSON.stringify(args)); return null; }, recover: () => null });
  const gone = recover === 'gone' && noted('pay 1');
  try {
    const call = () => agent({
      name: 'cashier', systemPrompt: '', userMessage: '{}', recovery: 'restart', tools: gone ? [ship] : [pay, ship],
    });
    const answer = input.inStep ? await DBOS.runStep(call, { name: 'inside' }) : await call();
    return await DBOS.runStep(async () => answer, { name: 'after' });
  } catch (error) {
    if (!caught) throw error;
    return { name: error.name, code: error.code, message: error.message, facts: error.facts };
  }
}, { name: 'main' });
`;

const usual: Json = [
  { toolCalls: [{ name: 'pay', arguments: { order: 1, note: { b: 1, a: [2, 'ä'] } } }] },
  { toolCalls: [{ name: 'ship', arguments: {} }] },
  { toolCalls: [{ name: 'pay', arguments: { note: { a: [2, 'ä'], b: 1 }, order: 1 } }] },
  { text: 'paid {{pay.receipt}}' },
];

/** A relay with the agent `cashier`, `recovery: "restart"`, that pays, ships, and asks for the same payment again. */
export function cashierRelay(turns: Json = usual, name = 'cashier'): RelayFolder {
  const folder = new RelayFolder(entry, { name });
  folder.write('fixtures/cashier.json', JSON.stringify({ turns }));
  return folder;
}

/** What the code of the relay's tools noted, in order. */
export function notes(lab: EngineLab, run: string): string[] {
  const file = join(lab.folder, 'runs', run, 'work', 'notes.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

export function operations(lab: EngineLab, run: string): Operation[] {
  return lab.ledger.operations(run, { after: null, limit: 100 });
}

/** `0.0 tool pay intended` of each operation, in program order. */
export function outline(lab: EngineLab, run: string): string[] {
  return operations(lab, run).map(({ id, kind, name, state }) => `${id} ${kind} ${name} ${state}`);
}

export function reused(lab: EngineLab, run: string): string[] {
  return lab.ledger
    .events(run, { after: 0, limit: 1000 })
    .filter(({ type }) => type === 'operation.reused')
    .map(({ attempt, operation }) => `${operation} in attempt ${attempt}`);
}

/** `kind name purpose ok` of each receipt of tools. */
export function toolReceipts(lab: EngineLab, run: string): string[] {
  return lab.ledger
    .receipts(run, null)
    .filter(({ kind }) => kind === 'tool')
    .map(({ operation, name, ok, data }) => `${operation} ${name} ${(data as { purpose: string }).purpose} ${ok}`);
}
