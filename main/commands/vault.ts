import type { Command } from 'commander';
import type { Gives } from '../../runtime/contract/index.ts';
import { LabError, secretRules, secretValueProblem } from '../../runtime/core/index.ts';
import { alone, exitCodes, hosting, inSession, type CommandContext } from '../command-action.ts';
import { openHostSession } from '../lab-session.ts';
import type { Output } from '../output.ts';
import { headed } from '../run-words.ts';
import { readSecretValue } from './secret-value.ts';

export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').description('keep secrets for relays; no command ever shows a value');

  vault
    .command('list')
    .description('list the secrets, how they are kept, and which relays ask for them')
    .addHelpText('after', '\nExample:\n  recovery-lab vault list')
    .action(
      hosting(async ({ client, out }) => {
        const listed = await client.call('vault/list', {});
        for (const row of secretRows(listed)) out.result(row, () => []);
        out.note(listed.words);
        if (!out.json) out.text(...tableOf(listed, out));
        return exitCodes.done;
      }),
    );

  vault
    .command('set')
    .description('keep a value, asked for without showing it or read from stdin; it holds from the next use on')
    .argument('<name>', `what relays ask for: ${secretRules.nameWords}`)
    .argument('[more...]', 'nothing: a value is never taken from the command line')
    .addHelpText(
      'after',
      '\nExamples:\n  recovery-lab vault set API_TOKEN\n  recovery-lab vault set API_TOKEN < token.txt',
    )
    .action(
      alone<object>(async (context, _options, name = '', ...more) => {
        requireName(name);
        if (more.length > 0) throw valueOnCommandLine(name);
        const value = await readSecretValue(name, { input: process.stdin, prompt: process.stderr });
        const problem = secretValueProblem(value);
        if (problem !== null) throw new LabError('invalid-input', `the value of ${name} ${problem}`);
        return asHost(context, async ({ client, out }) => {
          const set = await client.call('vault/set', { name, value });
          const { words } = await client.call('vault/list', {});
          out.result(set, () => [`${name} is set; ${words}`]);
        });
      }),
    );

  vault
    .command('remove')
    .description('forget a secret: what asks for it from now on is refused')
    .argument('<name>')
    .addHelpText('after', '\nExample:\n  recovery-lab vault remove API_TOKEN')
    .action(
      hosting<object>(async ({ client, out }, _options, name = '') => {
        requireName(name);
        await client.call('vault/remove', { name });
        out.result({ name, removed: true }, () => [`${name} is removed`]);
        return exitCodes.done;
      }),
    );
}

/** After the value was asked for: a person who thinks about it keeps no folder locked. */
async function asHost(
  context: Omit<CommandContext, 'client'>,
  work: (context: CommandContext) => Promise<void>,
): Promise<typeof exitCodes.done> {
  const session = await openHostSession(context.folder, (line) => context.out.note(line));
  await inSession(session, context.out, (client) => work({ ...context, client }));
  return exitCodes.done;
}

function requireName(name: string): void {
  if (secretRules.name.test(name)) return;
  throw new LabError(
    'invalid-input',
    `the name of the secret is ${JSON.stringify(name)}; expected ${secretRules.nameWords}`,
    'The name is the one that relays have in "secrets" of their relay.json.',
  );
}

function valueOnCommandLine(name: string): LabError {
  return new LabError(
    'invalid-input',
    `there is more than the name ${name} on the command line; a value is taken at the prompt or from stdin only, because a command line stands in the shell's history and in the list of processes`,
    `Take it out of your history if it was the value, and run: recovery-lab vault set ${name}`,
  );
}

type Listed = Gives<'vault/list'>;

/** A row for each secret that is kept or asked for. */
function secretRows({ secrets, asked }: Listed): {
  readonly name: string;
  readonly set: Listed['secrets'][number] | null;
  readonly relays: readonly { readonly relay: string; readonly granted: boolean | null }[];
}[] {
  const names = [...new Set([...secrets, ...asked].map(({ name }) => name))].sort();
  return names.map((name) => ({
    name,
    set: secrets.find((one) => one.name === name) ?? null,
    relays: asked.filter((one) => one.name === name).map(({ relay, granted }) => ({ relay, granted })),
  }));
}

const admission = { true: '', false: ' (revoked)', null: ' (granted with its first run)' } as const;

function tableOf(listed: Listed, { paint }: Output): string[] {
  const rows = secretRows(listed).map(({ name, set, relays }) => [
    set === null
      ? paint('yellow', '– not set')
      : set.problem === null
        ? paint('green', '✓ set')
        : paint('red', '✗ unreadable'),
    name,
    set === null ? '' : `•••  ${new Date(set.changedAt).toISOString().slice(0, 16).replace('T', ' ')}`,
    set?.problem ?? relays.map(({ relay, granted }) => `${relay}${admission[`${granted}`]}`).join(', '),
  ]);
  if (rows.length === 0) return ['The vault is empty, and no known relay asks for a secret.'];
  return headed([['', 'name', 'changed', 'asked for by'], ...rows], paint);
}
