import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewRun } from '../../runtime/core/index.ts';
import { openLedger, type OpenLedger } from '../../runtime/store/index.ts';
import { claimRun, createRun, moveRun, testTime, writerThread } from './ledger-writes.ts';

/** A ledger's path in a folder of its own, removed after the test. */
export function ledgerFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lab-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.sqlite');
}

/** An open ledger, closed after the test. */
export async function openTestLedger(file: string = ledgerFile()): Promise<OpenLedger> {
  const ledger = await openLedger({ file, writerThread });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** A run that is running under epoch 1, attempt 1, at revision 2. */
export async function startRun(ledger: OpenLedger, id: string, changes: Partial<NewRun> = {}): Promise<void> {
  await ledger.commit([createRun(id, changes), claimRun(id, 1)]);
}

/** Takes a running run through its process's death and recovery: the next attempt runs under the next epoch. */
export async function recoverRun(ledger: OpenLedger, run: string): Promise<{ epoch: number; attempt: number }> {
  const found = ledger.run(run);
  if (found === null) throw new Error(`no run ${run}`);
  await ledger.commit([
    { tag: 'attempt/ended', at: testTime, run, attempt: found.attempts, cause: { kind: 'signal', signal: 'SIGKILL' } },
    moveRun(run, ['running'], 'interrupted'),
    moveRun(run, ['interrupted'], 'queued'),
  ]);
  const { epoch } = await ledger.commit([claimRun(run, found.revision + 2)]);
  return { epoch: epoch ?? 0, attempt: found.attempts + 1 };
}
