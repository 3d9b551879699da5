import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../main/command-line.ts';
import { LabCommand } from '../support/lab-command.ts';
import { plain } from './plain-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

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
