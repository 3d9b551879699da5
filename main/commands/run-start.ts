import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { hosting } from '../command-action.ts';
import { crashPoints, jsonText } from './option-values.ts';
import { exitCodeOf, watchToRest, type WatchOptions } from './run-watch.ts';

interface StartOptions extends WatchOptions {
  readonly input: string;
  readonly crash: string[];
  readonly recover: 'off' | 'immediate';
  readonly id?: string;
}

const crashHelp = 'end the process there: OPERATION[#N]@PHASE[+MS][=ACTION]; may be repeated';

export function crashOption(): Option {
  return new Option('--crash <point>', crashHelp).argParser(crashPoints).default([], 'none');
}

export function recoverOption(description: string): Option {
  return new Option('--recover <policy>', description).choices(['off', 'immediate']);
}

export function addRunStart(run: Command): void {
  run
    .command('start')
    .description('publish a relay folder as it is now and run it')
    .argument('<folder>', 'the relay: a folder with relay.json')
    .option('--input <json>', 'the input: JSON, @file or - for stdin', 'null')
    .addOption(crashOption())
    .addOption(recoverOption('what follows when the process dies').default('off'))
    .option('--id <id>', 'the id of the run, rather than a new one')
    .option('--follow', 'print each event as it happens')
    .addHelpText(
      'after',
      `
Examples:
  recovery-lab run start ./my-relay --input '{"order":7}'
  recovery-lab run start ./my-relay --input @order.json --crash reserve@after-checkpoint
  recovery-lab run start ./my-relay --crash create-order@during+50 --recover immediate --follow

Phases of an operation: before-intent, after-intent, during, between-tries, before-checkpoint, after-checkpoint,
at-reuse. Phases of a run (run@PHASE): at-start, during+MS, before-result, after-result. The action is SIGKILL
unless =SIGTERM, =SIGSTOP or =exit:CODE is given.`,
    )
    .action(
      hosting<StartOptions>(async (context, options, folder = '') => {
        const run = await context.client.call('run/start', {
          folder: resolve(folder),
          input: await jsonText(options.input),
          id: options.id ?? null,
          crashPlan: options.crash,
          recovery: options.recover,
        });
        return exitCodeOf(await watchToRest(context, run, 0, options));
      }),
    );
}
