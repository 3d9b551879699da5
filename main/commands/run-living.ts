import type { Command } from 'commander';
import type { Attempt } from '../../runtime/contract/index.ts';
import type { OperationId } from '../../runtime/core/index.ts';
import { exitCodes, hosting } from '../command-action.ts';
import { printable } from '../output.ts';
import { operation } from './option-values.ts';
import { findRun } from './run-target.ts';

const runArgument = ['<id>', 'the run, or the beginning of its id'] as const;

/** The commands on an attempt while it lives. */
export function addRunLiving(run: Command): void {
  for (const [name, description, example] of [
    ['arm', 'end the living attempt at a crash point that it has not passed yet', 'confirm@before-checkpoint'],
    ['disarm', 'withdraw a crash point that is armed in the living attempt', 'confirm@before-checkpoint'],
  ] as const) {
    run
      .command(name)
      .description(description)
      .argument(...runArgument)
      .argument('<point>', 'OPERATION[#N]@PHASE[+MS][=ACTION]; +MS counts from now when its body is at work already')
      .addHelpText('after', `\nExample:\n  recovery-lab run ${name} 3f2a ${example}`)
      .action(
        hosting(async ({ client, out }, _options, id = '', point = '') => {
          const { run: found } = await findRun(client, id);
          const attempt = await client.call(`run/${name}`, { run: found.id, point });
          out.result(attempt, () => describePlan(attempt));
          return exitCodes.done;
        }),
      );
  }

  run
    .command('retry')
    .description('let a step that waits between two tries go on at once')
    .argument(...runArgument)
    .requiredOption('--operation <operation>', 'the step, by its id', operation)
    .addHelpText('after', '\nExample:\n  recovery-lab run retry 3f2a --operation 2')
    .action(
      hosting<{ operation: OperationId }>(async ({ client, out }, options, id = '') => {
        const { run: found } = await findRun(client, id);
        await client.call('run/retry-now', { run: found.id, operation: options.operation });
        const said = { run: found.id, operation: options.operation };
        out.result(said, () => [`operation ${said.operation} of run ${said.run} goes on with its next try`]);
        return exitCodes.done;
      }),
    );
}

function describePlan({ run, number, crashPlan }: Attempt): string[] {
  const points = crashPlan.map(({ point, state }) => `  ${state.padEnd(9)}  ${printable(point)}`);
  return [`attempt ${number} of run ${run}`, ...points];
}
