import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import { openLedger, openLedgerReadOnly, type OpenLedger } from '../../../runtime/store/index.ts';
import { ledgerFile, openTestLedger } from '../../support/ledger-file.ts';
import { checkpoint, createRun, writerThread } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const program = fileURLToPath(new URL('../../fixtures/programs/commit-until-killed.ts', import.meta.url));

/** Runs the program, kills it after so many acknowledgements, and gives all that it had said by then. */
async function acknowledgedUntilKilled(file: string, prefix: string, killAfter: number): Promise<[string, string][]> {
  const child = spawn(process.execPath, [program, file, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > killAfter) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [null, string];
  expect(signal).toBe('SIGKILL');
  const lines = said.split('\n').slice(0, -1);
  return lines.map((line) => line.split(' ') as [string, string]);
}

describe('SIGKILL of the host', () => {
  it('loses no write that was acknowledged, and leaves no half of one', async () => {
    const file = ledgerFile();
    const acknowledged: [string, string][] = [];
    for (const [round, killAfter] of [1, 7, 40, 173, 400].entries()) {
      const said = await acknowledgedUntilKilled(file, `round-${round}`, killAfter);
      expect(said.length).toBeGreaterThanOrEqual(killAfter);
      acknowledged.push(...said);
    }
    // First as the kill left it, with its log; then as the next host has it.
    const reader = openLedgerReadOnly({ file });
    const states = (from: Pick<OpenLedger, 'operation'>): (string | undefined)[] =>
      acknowledged.map(([run, operation]) => from.operation(run, operation as OperationId)?.state);
    const kept = acknowledged.map(() => 'checkpointed');
    expect(states(reader)).toEqual(kept);
    reader.close();
    const ledger = await openTestLedger(file);
    expect(states(ledger)).toEqual(kept);
    for (const { id } of ledger.listRuns({ before: null, limit: 100, relay: null, state: null })) {
      const events = ledger.events(id, { after: 0, limit: 100_000 });
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
      // Each operation's row and its events are one transaction: they are all there, or none is.
      const history = ledger.history(id);
      const count = (type: string): number => events.filter((event) => event.type === type).length;
      expect(count('operation.intended')).toBe(history.length);
      expect(count('operation.checkpointed')).toBe(history.filter(({ state }) => state === 'checkpointed').length);
    }
  });
});

describe('a writer thread that dies', () => {
  it('rejects every open commit at once, and all that come', async () => {
    const file = ledgerFile();
    const dying = new URL('../../fixtures/programs/dying-writer.mjs', import.meta.url);
    const ledger = await openLedger({ file, writerThread: dying });
    await ledger.commit([createRun('a')]);
    await ledger.commit([createRun('b')]);
    const open = [
      ledger.commit([createRun('c')]),
      ledger.commit([checkpoint('c', '0')]),
      ledger.commit([createRun('d')]),
    ];
    const lazy = ledger.commit([createRun('e')], { lazy: true });
    for (const commit of [...open, lazy]) expect((await refusalOf(commit)).code).toBe('ledger-failed');
    expect((await refusalOf(ledger.commit([createRun('f')]))).code).toBe('ledger-failed');
    expect(ledger.run('b')?.state).toBe('queued');
    await ledger.close();
    const again = await openLedger({ file, writerThread });
    expect(['a', 'b', 'c'].map((id) => again.run(id)?.state)).toEqual(['queued', 'queued', undefined]);
    await again.close();
  });
});
