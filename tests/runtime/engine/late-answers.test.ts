import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offeredAnswer, type OperationId, type Receipt } from '../../../runtime/contract/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** One call of an MCP server that answers only after it was cancelled, because it does not hear. */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { mcp } from 'agentworks';
export const run = DBOS.registerWorkflow(
  async (args) => mcp({ server: 'unruly', tool: 'wait', arguments: args }),
  { name: 'main' },
);
`;

describe('an answer to a platform call that comes when its process is gone', () => {
  let lab: EngineLab;
  let release: Release;
  let count = 0;
  const folder = new RelayFolder(relay, {
    name: 'booking',
    mcp: { unruly: { command: process.execPath, args: ['unruly.mjs', 'deaf'] } },
  });
  folder.write(
    'unruly.mjs',
    readFileSync(join(import.meta.dirname, '../../fixtures/programs/unruly-mcp-server.mjs'), 'utf8'),
  );

  beforeAll(async () => {
    lab = await openEngineLab();
    release = await lab.publish(folder.path);
    await lab.grant('mcp:unruly', true);
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  const id = '0' as OperationId;
  const late = (run: string): Receipt[] => lab.ledger.receipts(run, id).filter(({ kind }) => kind === 'late-answer');
  const offered = (run: string) => {
    const operation = lab.ledger.operation(run, id);
    return operation === null ? null : offeredAnswer({ operation, receipts: lab.ledger.receipts(run, id) });
  };
  const untilAsked = async (log: string, times: number): Promise<void> => {
    while (!existsSync(log) || readFileSync(log, 'utf8').split('asked').length <= times) await pause(5);
  };
  const untilLate = async (run: string, receipts: number): Promise<void> => {
    while (late(run).length < receipts) await pause(5);
  };

  /** The process is killed while the server is at work; gives the run as it stands then. */
  async function killedAtWork(args: { what: unknown; afterMs: number }) {
    const log = join(lab.folder, `asked-${count++}.txt`);
    const started = await lab.start(release, { ...args, log });
    await untilAsked(log, 1);
    await lab.engine.kill(started.id, lab.run(started.id).revision);
    await lab.engine.settled(started.id);
    return { run: lab.run(started.id), log };
  }

  it('leaves the call cancelled at its server and its operation uncertain, and is kept as evidence', async () => {
    const { run, log } = await killedAtWork({ what: 'seat 7', afterMs: 150 });
    expect(run.state).toBe('needs_reconciliation');
    expect(lab.ledger.operation(run.id, id)).toMatchObject({ state: 'intended', uncertain: true, outcome: null });
    await untilLate(run.id, 1);
    expect(readFileSync(log, 'utf8')).toBe('asked\ncancelled\n');
    expect(late(run.id)).toMatchObject([
      {
        attempt: 1,
        operation: id,
        name: 'the MCP tool unruly.wait',
        ok: true,
        data: { source: 'the MCP tool unruly.wait', value: { booked: 'seat 7' } },
      },
    ]);
    // It changes nothing of the run by itself, and the history stays without a gap.
    expect(lab.run(run.id)).toMatchObject({ state: 'needs_reconciliation', revision: run.revision });
    expect(lab.ledger.operation(run.id, id)).toMatchObject({ state: 'intended', uncertain: true });
    const events = lab.ledger.events(run.id, { after: 0, limit: 100 });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'receipt.added', operation: id, data: { kind: 'late-answer' } });
  });

  it('is offered, and accepting it gives the relay that value, with a receipt that says where it is from', async () => {
    const { run } = await killedAtWork({ what: { row: 3 }, afterMs: 50 });
    await untilLate(run.id, 1);
    const offer = offered(run.id);
    expect(offer).toMatchObject({ source: 'the MCP tool unruly.wait', value: { booked: { row: 3 } } });
    const order = { run: run.id, revision: run.revision, operation: id, by: 'ann', crashPlan: [] };
    await lab.engine.reconcile({ ...order, decision: { kind: 'accept', value: offer?.value ?? null } });
    await lab.engine.settled(run.id);
    expect(lab.run(run.id)).toMatchObject({ state: 'succeeded', result: { booked: { row: 3 } } });
    expect(offered(run.id)).toBeNull();
    const decided = lab.ledger.receipts(run.id, id).find(({ kind }) => kind === 'reconciliation');
    expect(decided?.data).toMatchObject({ by: 'ann', lateAnswer: offer?.receipt });
  });

  it('of an earlier body is kept after the decision, and offered for no later one', async () => {
    const { run, log } = await killedAtWork({ what: 'seat 8', afterMs: 1200 });
    expect(offered(run.id)).toBeNull();
    const order = { run: run.id, revision: run.revision, operation: id, by: 'ann', crashPlan: [] };
    await lab.engine.reconcile({ ...order, decision: { kind: 'again' } });
    await untilAsked(log, 2);
    await untilLate(run.id, 1);
    expect(late(run.id)).toMatchObject([{ attempt: 1 }]);
    expect(lab.run(run.id)).toMatchObject({ state: 'running', attempts: 2 });
    await lab.engine.kill(run.id, lab.run(run.id).revision);
    await lab.engine.settled(run.id);
    expect(lab.ledger.operation(run.id, id)).toMatchObject({ uncertain: true, attempt: 2 });
    expect(offered(run.id)).toBeNull();
    await untilLate(run.id, 2);
    expect(offered(run.id)?.receipt).toBe(late(run.id)[1]?.id);
  });

  it('is not kept when it is more than a relay could be given', async () => {
    const { run } = await killedAtWork({ what: 'x'.repeat(128 * 1024), afterMs: 0 });
    const other = await killedAtWork({ what: 'small', afterMs: 400 });
    await untilLate(other.run.id, 1);
    expect(late(run.id)).toEqual([]);
  });
});
