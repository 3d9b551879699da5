import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperationId } from '../../../runtime/core/index.ts';
import { openLedger } from '../../../runtime/store/index.ts';
import { openTestLedger, startRun } from '../../support/ledger-file.ts';
import { checkpoint, intend, writerThread } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

/** A disk of its own, of so many bytes; null where this user may not mount one. */
function smallDisk(bytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'lab-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

describe('a full disk', () => {
  it('loses nothing that was acknowledged, and is written again when there is room', async (test) => {
    const folder = smallDisk(4 * 1024 * 1024);
    if (folder === null) return test.skip('a small tmpfs can only be mounted as root');
    const file = join(folder, 'ledger.sqlite');
    const ledger = await openLedger({ file, writerThread });
    await startRun(ledger, 'r');
    const ballast = join(folder, 'ballast');
    const free = (): number => statfsSync(folder).bavail * statfsSync(folder).bsize;
    writeFileSync(ballast, Buffer.alloc(free() - 300 * 1024));

    const outcome = { ok: true, value: JSON.stringify('x'.repeat(20_000)) } as const;
    const acknowledged: string[] = [];
    const commitOne = async (id: string): Promise<boolean> => {
      void ledger.commit([intend('r', id)], { lazy: true }).catch(() => undefined);
      const done = ledger.commit([checkpoint('r', id, { outcome })]);
      return done.then(
        () => true,
        () => false,
      );
    };
    for (let n = 0; await commitOne(`${n}`); n++) acknowledged.push(`${n}`);
    expect(acknowledged.length).toBeGreaterThan(0);
    const big = ledger.commit([intend('r', '9000', { arguments: JSON.stringify('x'.repeat(500_000)) })]);
    expect(await refusalOf(big)).toMatchObject({ code: 'disk-full', facts: { file } });
    // What was acknowledged can be read on the full disk.
    for (const id of acknowledged) expect(ledger.operation('r', id as OperationId)?.state).toBe('checkpointed');
    expect(ledger.operation('r', '9000' as OperationId)).toBeNull();

    rmSync(ballast);
    await ledger.commit([intend('r', '9001')]);
    await ledger.commit([checkpoint('r', '9001', { outcome })]);
    await ledger.close();
    const again = await openTestLedger(file);
    for (const id of [...acknowledged, '9001'])
      expect(again.operation('r', id as OperationId)?.outcome).toEqual(outcome);
    const events = again.events('r', { after: 0, limit: 10_000 });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
    await again.close();
  });

  it('is named when there is no room for a new ledger', async (test) => {
    const folder = smallDisk(64 * 1024);
    if (folder === null) return test.skip('a small tmpfs can only be mounted as root');
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(60 * 1024));
    const refusal = await refusalOf(openLedger({ file: join(folder, 'ledger.sqlite'), writerThread }));
    expect(refusal.code).toBe('disk-full');
  });
});
