import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabCommand, type CommandEnd } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';

function errorCode(end: CommandEnd): unknown {
  return (end.lines.at(-1)?.['error'] as { code?: string } | undefined)?.code;
}

/** A zombie that its new parent has not collected yet runs no more. */
function runsStill(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe('a data folder', () => {
  it.each([
    ['a file', (lab: LabCommand) => join(lab.dataDir, 'file'), 'ledger-unwritable'],
    ['a folder that can never be', () => '/proc/none-such', 'ledger-unwritable'],
    ['a folder of other things', (lab: LabCommand) => lab.dataDir, 'invalid-input'],
    ['an empty text', () => '', 'invalid-input'],
  ] as const)('that is %s is refused by a command that works', async (_what, folder, code) => {
    using lab = new LabCommand();
    using relay = new RelayFolder('export async function run() { return 1; }');
    writeFileSync(join(lab.dataDir, 'file'), 'x');
    const end = await lab.run(['run', 'start', relay.path, '--data-dir', folder(lab)], {
      ownFolder: false,
      timeoutMs: 10_000,
    });
    expect(errorCode(end)).toBe(code);
  });

  it.each([
    ['a file', (lab: LabCommand) => join(lab.dataDir, 'file')],
    ['a folder of other things', (lab: LabCommand) => lab.dataDir],
    ['an empty text', () => ''],
  ] as const)('that is %s is no lab without runs either', async (_what, folder) => {
    using lab = new LabCommand();
    writeFileSync(join(lab.dataDir, 'file'), 'x');
    const end = await lab.run(['run', 'list', '--data-dir', folder(lab)], { ownFolder: false });
    expect(end.code).not.toBe(0);
    expect(errorCode(end)).toBeDefined();
  });

  it('whose host was killed says so of its runs, leaves no process, and recovers them', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(`
      import { DBOS } from '@dbos-inc/dbos-sdk';
      export const run = DBOS.registerWorkflow(async () => {
        await DBOS.runStep(async () => 1, { name: 'first' });
        await DBOS.runStep(async () => new Promise((r) => setTimeout(r, 400)), { name: 'second' });
        return 'done';
      }, { name: 'main' });`);
    const host = lab.spawn(['run', 'start', relay.path, '--id', 'orphan', '--follow']);
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      host.stdout.on('data', (part: Buffer) => {
        seen.push(part.toString());
        if (seen.join('').includes('operation.checkpointed')) resolve();
      });
    });
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    const shown = (await lab.run(['run', 'show', 'orphan'])).lines.at(-1) as { run: { state: string; reason: string } };
    expect(shown.run.reason).toContain('its host is gone');
    const recovered = (await lab.run(['run', 'recover', 'orphan'])).lines.at(-1) as {
      run: { state: string; result: unknown };
      attempts: { cause: { kind: string }; reused: number; process: { pid: number } }[];
    };
    expect(recovered.run).toMatchObject({ state: 'succeeded', result: 'done' });
    expect(recovered.attempts).toMatchObject([{ cause: { kind: 'host-gone' } }, { reused: 1 }]);
    expect(runsStill(recovered.attempts[0]?.process.pid ?? 0)).toBe(false);
  });
});
