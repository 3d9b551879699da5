import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LedgerWrite, NewRun, OperationId, Outcome, RunState } from '../../runtime/core/index.ts';
import { openLedger, type OpenLedger } from '../../runtime/store/index.ts';

export const writerThread = new URL('../../runtime/store/writer-thread.ts', import.meta.url);

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

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;

const at = 1_700_000_000_000;

export function createRun(id: string, changes: Partial<NewRun> = {}): Write<'run/create'> {
  const bindings = { release: 'sha256:0', input: 'i', variables: 'v', sdk: 's', node: 'n', engine: 'e' };
  const fixed = { relay: 'orders', caller: 'local', durability: 'dbos', input: '{"n":1}', bindings } as const;
  const policy = { attemptBudget: 3, deadlineMs: 60_000, recovery: 'off', draftFolder: null, forkedFrom: null } as const;
  return { tag: 'run/create', at, run: { id, ...fixed, ...policy, ...changes } };
}

export function claimRun(run: string, revision: number, changes: Partial<Write<'run/claim'>> = {}): Write<'run/claim'> {
  return { tag: 'run/claim', at: at + 1, run, revision, holder: { pid: 4711, startTime: '99' }, crashPlan: [], ...changes };
}

export function moveRun(
  run: string,
  from: readonly RunState[],
  to: RunState,
  changes: Partial<Write<'run/move'>> = {},
): Write<'run/move'> {
  const nothing = { epoch: null, revision: null, reason: null, result: null, error: null };
  return { tag: 'run/move', at: at + 9, run, from, to, ...nothing, ...changes };
}

export function intend(run: string, id: string, changes: Partial<Write<'operation/intend'>> = {}): Write<'operation/intend'> {
  const body = { kind: 'step', name: 'reserve', arguments: '{"json":[1]}', repeatable: true, source: 'relay.ts:3:1' } as const;
  const claim = { run, epoch: 1 };
  return { tag: 'operation/intend', at: at + 2, claim, attempt: 1, id: id as OperationId, ...body, ...changes };
}

export function checkpoint(
  run: string,
  id: string,
  changes: Partial<Write<'operation/checkpoint'>> = {},
): Write<'operation/checkpoint'> {
  const outcome: Outcome = { ok: true, value: `{"json":"${id}"}` };
  return { tag: 'operation/checkpoint', at: at + 3, claim: { run, epoch: 1 }, attempt: 1, id: id as OperationId, outcome, ...changes };
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
    { tag: 'attempt/ended', at, run, attempt: found.attempts, cause: { kind: 'signal', signal: 'SIGKILL' } },
    moveRun(run, ['running'], 'interrupted'),
    moveRun(run, ['interrupted'], 'queued'),
  ]);
  const { epoch } = await ledger.commit([claimRun(run, found.revision + 2)]);
  return { epoch: epoch ?? 0, attempt: found.attempts + 1 };
}

export const testTime = at;
