import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../main/command-line.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { LabCommand } from '../support/lab-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('../../out/main/recovery-lab.js', import.meta.url));
const twoSteps = `
import { DBOS } from '@dbos-inc/dbos-sdk';
async function twoSteps(input: unknown) {
  const first = await DBOS.runStep(async () => ({ input }), { name: 'first' });
  return DBOS.runStep(async () => first, { name: 'second' });
}
export const run = DBOS.registerWorkflow(twoSteps);
`;

/** The command as a person at a pipe sees it: no --json. */
function plain(
  args: readonly string[],
  dataDir: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args, '--data-dir', dataDir], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

describe('wrong words', () => {
  const wrong: [string, string[], string][] = [
    ['an unknown command', ['rum'], "unknown command 'rum' (Did you mean run?)"],
    ['an unknown command of a group', ['run', 'recovr', 'x'], '(Did you mean recover?)'],
    ['an unknown option', ['run', 'list', '--sate', 'failed'], '(Did you mean --state?)'],
    ['a group without its command', ['run'], 'a command is missing'],
    ['a missing argument', ['run', 'show'], "missing required argument 'id'"],
    ['too many arguments', ['run', 'show', 'a', 'b'], 'too many arguments'],
    ['a value that is none of the choices', ['run', 'list', '--state', 'ended'], 'Allowed choices are queued'],
    ['a number that is none', ['run', 'list', '--limit', 'all'], 'expected a whole number'],
    [
      'a crash point of an unknown phase',
      ['run', 'start', '.', '--crash', 'pay@later'],
      'the phase "later" is none of',
    ],
    ['an operation that is no id', ['run', 'fork', 'x', '--from', 'pay'], 'expected an operation id'],
    ['a scenario that is not there', ['scenario', 'run', 'no-such'], 'there is no scenario no-such'],
    ['no scenario', ['scenario', 'run'], 'expected names of scenarios, or --all'],
    ['a run that is not there', ['run', 'show', 'no-such'], 'there is no run no-such'],
    ['two decisions at once', ['run', 'reconcile', 'x', '--again', '--fail', 'no'], 'exactly one of'],
    [
      'a folder without a relay',
      ['run', 'start', '/tmp/no-such-relay'],
      'the relay folder /tmp/no-such-relay does not exist',
    ],
    ['a resource of an unknown kind', ['permission', 'grant', 'disk:c'], '"resource" is "disk:c"'],
  ];

  it.each(wrong)('%s ends with 2 and a sentence, on stderr and as a JSON line', async (_what, args, words) => {
    using lab = new LabCommand();
    const { code, lines, stderr } = await lab.run(args);
    expect(code).toBe(2);
    expect(lines).toEqual([
      { error: expect.objectContaining({ message: expect.stringContaining(words) as string }) as unknown },
    ]);
    expect(stderr).toMatch(/^error (invalid-input|not-found|publish-failed): /m);
    expect(stderr).toContain(words);
  });

  it('say nothing on stdout without --json', async () => {
    const { code, stdout, stderr } = await plain(['rum'], temporaryFolder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error invalid-input: .*\nnext: .*--help/);
  });
});

describe('help', () => {
  it.each(
    leaves(commandLine()).map((command) => [`${command.parent?.name() ?? ''} ${command.name()}`, command] as const),
  )('of %s has an example', (_name, command) => {
    let text = '';
    command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
    expect(text).toMatch(/Examples?:\n {2}recovery-lab /);
    expect(text).toContain('--data-dir');
  });

  it('and the version end with 0 and are printed on stdout', async () => {
    const folder = temporaryFolder();
    const [help, version] = await Promise.all([
      plain(['run', 'start', '--help'], folder),
      plain(['--version'], folder),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--crash <point>') as string });
    expect(version).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });
});

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

describe('permissions', () => {
  it('that are revoked refuse a start with 3 until they are granted again', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    expect(await lab.run(['permission', 'revoke', 'relay:made-for-a-test'])).toMatchObject({
      code: 0,
      lines: [{ granted: false }],
    });
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({
      code: 3,
      lines: [{ error: { code: 'admission-denied' } }],
    });
    await lab.run(['permission', 'grant', 'relay:made-for-a-test']);
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({ code: 0 });
    expect((await lab.run(['permission', 'list'])).lines).toEqual([
      expect.objectContaining({ resource: 'relay:made-for-a-test', granted: true }),
    ]);
  });
});
