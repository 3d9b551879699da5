import type { Command } from 'commander';
import type { ScenarioResult } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import { exitCodes, hosting, reading, type CommandContext } from '../command-action.ts';
import { printable, type Paint } from '../output.ts';
import { headed } from '../run-words.ts';
import { duration, table } from '../table.ts';

export function addScenarioCommands(program: Command): void {
  const scenario = program.command('scenario').description('rehearsals with their expected evidence');

  scenario
    .command('list')
    .description('list the scenarios')
    .addHelpText('after', '\nExample:\n  recovery-lab scenario list')
    .action(
      reading(async ({ client, out }) => {
        const found = await client.call('scenario/list', {});
        if (out.json) for (const one of found) out.result(one, () => []);
        else {
          const rows = found.map(({ name, relay, title }) => [name, relay, title]);
          out.text(...headed([['scenario', 'relay', 'what it shows'], ...rows], out.paint));
        }
        return exitCodes.done;
      }),
    );

  scenario
    .command('run')
    .description('run scenarios and check their evidence; exits with 1 when some of it is missing')
    .argument('[names...]', 'which ones, in this order')
    .option('--all', 'all of them')
    .addHelpText(
      'after',
      '\nExamples:\n  recovery-lab scenario run crash-after-checkpoint\n  recovery-lab scenario run --all --json',
    )
    .action(
      hosting<{ all?: true }>(async (context, { all = false }, ...names) => {
        let ok = true;
        for (const name of await chosen(context, names, all)) ok = (await runOne(context, name)).ok && ok;
        return ok ? exitCodes.done : exitCodes.failed;
      }),
    );
}

async function chosen({ client }: CommandContext, names: readonly string[], all: boolean): Promise<readonly string[]> {
  if (all === names.length > 0) {
    throw new LabError(
      'invalid-input',
      'expected names of scenarios, or --all',
      'List them: recovery-lab scenario list',
    );
  }
  const known = (await client.call('scenario/list', {})).map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return all ? known : names;
  throw new LabError('not-found', `there is no scenario ${printable(unknown)}`, `There are: ${known.join(', ')}`);
}

async function runOne({ client, out }: CommandContext, name: string): Promise<ScenarioResult> {
  out.progress(`scenario ${name} runs`);
  const begun = performance.now();
  const result = await client.call('scenario/run', { name });
  out.progress(null);
  out.result(result, () => describeScenario(result, performance.now() - begun, out.paint));
  return result;
}

/** A scenario's evidence as a list of checks, each with what was found, and what was expected where that differs. */
export function describeScenario(result: ScenarioResult, tookMs: number, paint: Paint): string[] {
  const rows = result.evidence.map(({ name, ok, actual, expected }) => [
    ok ? paint('green', '✓') : paint('red', '✗'),
    name,
    ok ? printable(actual) : `${printable(actual)}  ${paint('red', `expected ${printable(expected)}`)}`,
  ]);
  const mark = result.ok ? paint('green', '✓') : paint('red', '✗');
  return [`${mark} ${paint('bold', result.scenario)}  ${paint('dim', duration(tookMs))}`, ...table(rows, '    ')];
}
