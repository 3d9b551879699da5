import type { Command } from 'commander';
import { offeredAnswer, type LabClient, type RunDetail, type Takes } from '../../runtime/contract/index.ts';
import { LabError, type Json, type OperationId } from '../../runtime/core/index.ts';
import { exitCodes, hosting } from '../command-action.ts';
import { personHere } from '../person-here.ts';
import { jsonText, operation, parseJson, wholeNumber } from './option-values.ts';
import { crashOption, recoverOption } from './run-start.ts';
import { findRun } from './run-target.ts';
import { exitCodeOf, watchToRest, type WatchOptions } from './run-watch.ts';

const runArgument = ['<id>', 'the run, or the beginning of its id'] as const;
const revisionOption = ['--revision <n>', 'refuse when the run has moved on from this revision', wholeNumber] as const;
const followOption = ['--follow', 'print each event as it happens'] as const;

interface RecoverOptions extends WatchOptions {
  readonly revision?: number;
  readonly crash: string[];
  readonly recover?: 'off' | 'immediate';
}

interface ForkOptions extends WatchOptions {
  readonly from: OperationId;
  readonly id?: string;
  readonly input?: string;
  readonly crash: string[];
  readonly recover: 'off' | 'immediate';
}

interface ReconcileOptions extends WatchOptions {
  readonly revision?: number;
  readonly operation?: OperationId;
  readonly accept?: string;
  readonly acceptLate?: true;
  readonly again?: true;
  readonly fail?: string;
  readonly by: string;
  readonly crash: string[];
}

export function addRunRecover(run: Command): void {
  run
    .command('recover')
    .description('run an interrupted run again, reusing what is checkpointed')
    .argument(...runArgument)
    .option(...revisionOption)
    .addOption(crashOption())
    .addOption(recoverOption('what follows when the process dies again'))
    .option(...followOption)
    .addHelpText('after', '\nExample:\n  recovery-lab run recover 3f2a --crash confirm@before-checkpoint')
    .action(
      hosting<RecoverOptions>(async (context, options, id = '') => {
        const { run: found } = await findRun(context.client, id);
        const recovered = await context.client.call('run/recover', {
          run: found.id,
          revision: options.revision ?? found.revision,
          crashPlan: options.crash,
          recovery: options.recover ?? null,
        });
        return exitCodeOf(await watchToRest(context, recovered, found.lastSequence, options));
      }),
    );
}

export function addRunEnding(run: Command): void {
  run
    .command('cancel')
    .description('ask a run to stop; it is killed when it has not after the grace time')
    .argument(...runArgument)
    .option(...revisionOption)
    .option('--grace <ms>', 'grace time in milliseconds (default: 10000)', wholeNumber)
    .addHelpText('after', '\nExample:\n  recovery-lab run cancel 3f2a --grace 2000')
    .action(
      hosting<{ revision?: number; grace?: number }>(async (context, options, id = '') => {
        const { run: found } = await findRun(context.client, id);
        const cancelled = await context.client.call('run/cancel', {
          run: found.id,
          revision: options.revision ?? found.revision,
          graceMs: options.grace ?? null,
        });
        const { run: ended } = await watchToRest(context, cancelled, found.lastSequence, {});
        return ended.state === 'cancelled' ? exitCodes.done : exitCodes.failed;
      }),
    );

  run
    .command('kill')
    .description("kill a run's process now, as a crash would")
    .argument(...runArgument)
    .option(...revisionOption)
    .addHelpText('after', '\nExample:\n  recovery-lab run kill 3f2a')
    .action(
      hosting<{ revision?: number }>(async (context, options, id = '') => {
        const { run: found } = await findRun(context.client, id);
        const killed = await context.client.call('run/kill', {
          run: found.id,
          revision: options.revision ?? found.revision,
        });
        await watchToRest(context, killed, found.lastSequence, {});
        return exitCodes.done;
      }),
    );
}

export function addRunFork(run: Command): void {
  run
    .command('fork')
    .description('make a new run that reuses everything before a chosen operation')
    .argument(...runArgument)
    .requiredOption('--from <operation>', 'the first operation that is not reused, by its id', operation)
    .option('--id <id>', 'the id of the new run')
    .option('--input <json>', 'another input: JSON, @file or - for stdin')
    .addOption(crashOption())
    .addOption(recoverOption('what follows when the process dies').default('off'))
    .option(...followOption)
    .addHelpText('after', '\nExample:\n  recovery-lab run fork 3f2a --from 2')
    .action(
      hosting<ForkOptions>(async (context, options, id = '') => {
        const { run: found } = await findRun(context.client, id);
        const forked = await context.client.call('run/fork', {
          run: found.id,
          operation: options.from,
          id: options.id ?? null,
          input: options.input === undefined ? null : await jsonText(options.input),
          crashPlan: options.crash,
          recovery: options.recover,
        });
        return exitCodeOf(await watchToRest(context, forked, 0, options));
      }),
    );
}

export function addRunReconcile(run: Command): void {
  run
    .command('reconcile')
    .description('decide an operation that may or may not have happened')
    .argument(...runArgument)
    .option('--operation <operation>', 'which one, by its id; needed when several are uncertain', operation)
    .option('--accept <json>', 'it happened, with this result: JSON, @file or - for stdin')
    .option('--accept-late', 'it happened, as the answer says that came after the process had died')
    .option('--again', 'it did not happen, or may happen twice: run it again')
    .option('--fail <message>', 'end the run as failed')
    .option('--by <name>', 'who decides', personHere())
    .option(...revisionOption)
    .addOption(crashOption())
    .option(...followOption)
    .addHelpText(
      'after',
      `
Examples:
  recovery-lab run reconcile 3f2a --accept '{"line":17}'
  recovery-lab run reconcile 3f2a --operation 2.0 --again`,
    )
    .action(
      hosting<ReconcileOptions>(async (context, options, id = '') => {
        checkDecision(options);
        const detail = await findRun(context.client, id);
        const { run: found } = detail;
        const chosen = options.operation ?? onlyUncertain(detail);
        const decision = await decisionOf(options, context.client, { run: found.id, operation: chosen });
        const decided = await context.client.call('run/reconcile', {
          run: found.id,
          revision: options.revision ?? found.revision,
          operation: chosen,
          decision,
          by: options.by,
          crashPlan: options.crash,
        });
        const rest = await watchToRest(context, decided, found.lastSequence, options);
        // With --fail, a failed run is what was asked for.
        return decision.kind === 'fail' && rest.run.state === 'failed' ? exitCodes.done : exitCodeOf(rest);
      }),
    );
}

function checkDecision({ accept, acceptLate, again, fail }: ReconcileOptions): void {
  if ([accept, acceptLate, again, fail].filter((given) => given !== undefined).length === 1) return;
  const four = '--accept JSON, --accept-late, --again and --fail MESSAGE';
  throw new LabError('invalid-input', `expected exactly one of ${four}`);
}

async function decisionOf(
  { accept, acceptLate, fail }: ReconcileOptions,
  client: Pick<LabClient, 'call'>,
  about: Takes<'run/operation'>,
): Promise<Takes<'run/reconcile'>['decision']> {
  if (acceptLate) return { kind: 'accept', value: await lateValue(client, about) };
  if (accept !== undefined) return { kind: 'accept', value: parseJson(await jsonText(accept), 'the accepted result') };
  return fail === undefined ? { kind: 'again' } : { kind: 'fail', message: fail };
}

/** The late answer that is offered for the operation. Throws `not-found` when there is none. */
async function lateValue(client: Pick<LabClient, 'call'>, about: Takes<'run/operation'>): Promise<Json> {
  const offered = offeredAnswer(await client.call('run/operation', about));
  if (offered !== null) return offered.value;
  throw new LabError(
    'not-found',
    `no answer to operation ${about.operation} of run ${about.run} came after its process had died`,
    'Give the result yourself with --accept JSON, or choose --again or --fail MESSAGE.',
  );
}

function onlyUncertain({ run, operations }: RunDetail): OperationId {
  const uncertain = operations.filter((one) => one.uncertain);
  const [only] = uncertain;
  if (only !== undefined && uncertain.length === 1) return only.id;
  const found = uncertain.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new LabError(
    only === undefined ? 'wrong-state' : 'invalid-input',
    only === undefined
      ? `run ${run.id} is ${run.state} and no operation of it is uncertain`
      : `run ${run.id} has several uncertain operations: ${found}`,
    only === undefined ? '' : 'Name one with --operation.',
  );
}
