import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LabCommand } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { plain, program, twoSteps } from './plain-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('a run', () => {
  it('takes its input as text, from a file and from stdin, and refuses what is no JSON or over 128 KiB', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    const file = join(temporaryFolder(), 'input.json');
    writeFileSync(file, '{"from":"file"}');
    const start = (input: string, stdin = '') =>
      lab.run(['run', 'start', relay.path, '--input', input], { input: stdin });
    const resultOf = ({ lines }: { lines: readonly Record<string, unknown>[] }) =>
      (lines.at(-1)?.['run'] as { result: unknown }).result;
    expect(resultOf(await start('{"from":"text"}'))).toEqual({ input: { from: 'text' } });
    expect(resultOf(await start(`@${file}`))).toEqual({ input: { from: 'file' } });
    expect(resultOf(await start('-', '{"from":"stdin"}'))).toEqual({ input: { from: 'stdin' } });
    expect(await start('{from:text}')).toMatchObject({ code: 2, lines: [{ error: { code: 'invalid-input' } }] });
    expect(await start(`@${file}.none`)).toMatchObject({ code: 2, lines: [{ error: { code: 'invalid-input' } }] });
    const large = JSON.stringify('x'.repeat(128 * 1024));
    expect(await start('-', large)).toMatchObject({ code: 2, lines: [{ error: { code: 'too-large' } }] });
  });

  it('is crashed, shown, recovered by the beginning of its id, and exported', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    const crashed = await lab.run(['run', 'start', relay.path, '--id', 'one-run', '--crash', 'first@after-checkpoint']);
    expect(crashed).toMatchObject({ code: 1, lines: [{ run: { id: 'one-run', state: 'interrupted' } }] });
    const shown = await lab.run(['run', 'show', 'one']);
    expect(shown).toMatchObject({ code: 0, lines: [crashed.lines[0]] });
    const recovered = await lab.run(['run', 'recover', 'one']);
    expect(recovered).toMatchObject({
      code: 0,
      lines: [{ run: { id: 'one-run', state: 'succeeded' }, attempts: [{}, { reused: 1 }] }],
    });
    expect(await lab.run(['run', 'recover', 'one'])).toMatchObject({
      code: 3,
      lines: [{ error: { code: 'wrong-state' } }],
    });
    const file = join(temporaryFolder(), 'run.json');
    expect(await lab.run(['run', 'export', 'one', '--output', file])).toMatchObject({ code: 0, lines: [{ file }] });
    const [exported] = (await lab.run(['run', 'export', 'one'])).lines;
    expect(exported).toMatchObject({ run: { id: 'one-run' }, operations: [{ name: 'first' }, { name: 'second' }] });
    const events = exported?.['events'] as { sequence: number }[];
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
    const listed = await lab.run(['run', 'events', 'one', '--after', '3']);
    expect(listed.lines).toEqual(events.slice(3));
  });

  it('with --follow prints every event once, in order, and then how it ended', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    const { lines, code } = await lab.run(['run', 'start', relay.path, '--follow']);
    expect(code).toBe(0);
    const last = lines.at(-1) as { run: { state: string; lastSequence: number } };
    expect(last.run.state).toBe('succeeded');
    const numbers = lines.slice(0, -1).map((line) => line['sequence']);
    expect(numbers.slice(0, last.run.lastSequence)).toEqual(
      Array.from({ length: last.run.lastSequence }, (_, index) => index + 1),
    );
  });

  it('whose id begins like another needs more of it', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    await lab.run(['run', 'start', relay.path, '--id', 'twin-a']);
    await lab.run(['run', 'start', relay.path, '--id', 'twin-b']);
    const unclear = await lab.run(['run', 'show', 'twin']);
    expect(unclear).toMatchObject({
      code: 2,
      lines: [{ error: { message: expect.stringContaining('twin-a') as string } }],
    });
    expect((await lab.run(['run', 'list'])).lines.map(({ id }) => id)).toEqual(['twin-b', 'twin-a']);
    expect((await lab.run(['run', 'list', '--limit', '1'])).lines).toHaveLength(1);
    expect((await lab.run(['run', 'list', '--state', 'failed'])).lines).toEqual([]);
  });

  it('is refused an id that would leave its folder', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    const refused = await lab.run(['run', 'start', relay.path, '--id', '../../outside']);
    expect(refused).toMatchObject({ code: 2, lines: [{ error: { code: 'invalid-input' } }] });
  });
});

describe('a run that stopped at an uncertain operation', () => {
  const audit = fileURLToPath(new URL('../../scenarios/relays/audit-uncertain', import.meta.url));
  const start = async (lab: LabCommand, id: string): Promise<void> => {
    const point = ['--crash', 'write-line@during'];
    const stopped = await lab.run(['run', 'start', audit, '--input', '{"line":"x"}', '--id', id, ...point]);
    expect(stopped).toMatchObject({ code: 1, lines: [{ run: { state: 'needs_reconciliation' } }] });
  };

  it('goes on with the result that a person gives, and is forked from an operation', async () => {
    using lab = new LabCommand();
    await start(lab, 'given');
    const decided = await lab.run(['run', 'reconcile', 'given', '--accept', '{"line":7}', '--by', 'mara']);
    expect(decided).toMatchObject({ code: 0, lines: [{ run: { result: { subject: 'x', written: { line: 7 } } } }] });
    const forked = await lab.run(['run', 'fork', 'given', '--from', '2', '--id', 'forked']);
    expect(forked).toMatchObject({
      code: 0,
      lines: [
        { run: { id: 'forked', forkedFrom: { run: 'given', operation: '2' }, result: { written: { line: 7 } } } },
      ],
    });
  });

  it('is failed when a person says so, which is then what was asked for', async () => {
    using lab = new LabCommand();
    await start(lab, 'ended');
    const stale = await lab.run(['run', 'reconcile', 'ended', '--revision', '1', '--again']);
    expect(stale).toMatchObject({ code: 3, lines: [{ error: { code: 'conflict' } }] });
    const failed = await lab.run(['run', 'reconcile', 'ended', '--operation', '1', '--fail', 'no way to know']);
    expect(failed).toMatchObject({
      code: 0,
      lines: [{ run: { state: 'failed', error: { message: expect.stringContaining('no way to know') as string } } }],
    });
  });
});

describe('output', () => {
  it('for people has no colours in a pipe, and shows state, attempts and operations', async () => {
    using relay = new RelayFolder(twoSteps);
    const folder = temporaryFolder();
    const { stdout, stderr, code } = await plain(['run', 'start', relay.path], folder);
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
    expect(stdout).toMatch(/^state +succeeded/m);
    expect(stdout).toMatch(/^1 +\d+ +0 .*it finished$/m);
    expect(stdout).toMatch(/^0 +step +first +checkpointed +1 +1/m);
    expect(stderr).toMatch(/attempt 1 runs\n.*succeeded/);
  });

  it('that nobody reads any more neither fails nor hangs the command', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    const child = lab.spawn(['run', 'start', relay.path, '--id', 'unread', '--follow']);
    child.stdout.destroy();
    child.stderr.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    const reading = spawn('/bin/sh', [
      '-c',
      `"$0" "$1" run events unread --data-dir "$2" | head -n 1; exit 0`,
      process.execPath,
      program,
      lab.dataDir,
    ]);
    let stderr = '';
    reading.stderr.on('data', (part) => (stderr += String(part)));
    await once(reading, 'close');
    expect(stderr).toBe('');
  });
});

describe('a command that only reads', () => {
  it('finds nothing in a folder that is not there, and does not make it', async () => {
    const folder = join(temporaryFolder(), 'none');
    expect(await plain(['run', 'list'], folder)).toMatchObject({ code: 0, stderr: '' });
    expect(await plain(['permission', 'list'], folder)).toMatchObject({ code: 0, stderr: '' });
    expect(await plain(['run', 'show', 'x'], folder)).toMatchObject({ code: 2 });
    expect(existsSync(folder)).toBe(false);
  });
});
