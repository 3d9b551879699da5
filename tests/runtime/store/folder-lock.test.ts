import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../../runtime/store/folder-lock.ts';

const program = fileURLToPath(new URL('../../fixtures/programs/hold-folder-lock.ts', import.meta.url));

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lab-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'host.lock');
}

async function holder(file: string): Promise<{ said: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { said: said.toString().trim(), process: child };
}

describe('folder lock', () => {
  it('is given to one process and refused to the next while it lives', async () => {
    const file = lockFile();
    expect((await holder(file)).said).toBe('held');
    expect((await holder(file)).said).toBe('refused');
    expect(lockFolder(file)).toBeNull();
  });

  it('is free the moment its holder was killed', async () => {
    const file = lockFile();
    const { process: held } = await holder(file);
    held.kill('SIGKILL');
    await once(held, 'exit');
    const lock = lockFolder(file);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('is kept by a holder that is stopped', async () => {
    const file = lockFile();
    const { process: held } = await holder(file);
    held.kill('SIGSTOP');
    expect(lockFolder(file)).toBeNull();
  });

  it('is free again after it was released', async () => {
    const file = lockFile();
    lockFolder(file)?.release();
    expect((await holder(file)).said).toBe('held');
  });

  it('says which file stands in its way when that is no lock', () => {
    const file = lockFile();
    writeFileSync(file, 'x'.repeat(2000));
    expect(() => lockFolder(file)).toThrow(
      expect.objectContaining({ code: 'ledger-unwritable', message: expect.stringContaining(file) as string }),
    );
    expect(() => lockFolder(join(file, 'in-a-file'))).toThrow(expect.objectContaining({ code: 'ledger-unwritable' }));
  });
});
