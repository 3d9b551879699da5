import { Option, type Command } from 'commander';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LabEvent, Run } from '../../runtime/contract/index.ts';
import { LabError, runStates } from '../../runtime/core/index.ts';
import { exitCodes, reading } from '../command-action.ts';
import { describeEvent } from '../event-words.ts';
import { printable } from '../output.ts';
import { describeRun, headed, stateText } from '../run-words.ts';
import { shortened } from '../table.ts';
import { lateAnswerLines } from './late-answers.ts';
import { wholeNumber } from './option-values.ts';
import { allRuns, findRun, withAllOperations } from './run-target.ts';
import { followToRest } from './run-watch.ts';

interface ListOptions {
  readonly relay?: string;
  readonly state?: Run['state'];
  readonly limit: number;
}

interface EventOptions {
  readonly after: number;
  readonly follow?: true;
}

/** The commands that look at runs and change nothing. */
export function addRunReading(run: Command): void {
  run
    .command('list')
    .description('list runs, newest first')
    .option('--relay <name>', 'only runs of this relay')
    .addOption(new Option('--state <state>', 'only runs in this state').choices(runStates))
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .addHelpText('after', '\nExample:\n  recovery-lab run list --state interrupted --json')
    .action(
      reading<ListOptions>(async ({ client, out }, options) => {
        const runs: Run[] = [];
        for await (const found of allRuns(client, { relay: options.relay ?? null, state: options.state ?? null })) {
          if (runs.length >= options.limit) break;
          runs.push(found);
        }
        if (out.json) for (const found of runs) out.result(found, () => []);
        else if (runs.length === 0) out.text('No runs. Start one with: recovery-lab run start FOLDER');
        else {
          const rows = runs.map((found) => [
            found.id,
            found.relay,
            stateText(found.state, out.paint),
            `${found.attempts}`,
            new Date(found.createdAt).toISOString().slice(0, 19).replace('T', ' '),
            shortened(printable(found.reason ?? ''), 80),
          ]);
          out.text(...headed([['run', 'relay', 'state', 'attempts', 'created', 'reason'], ...rows], out.paint));
        }
        return exitCodes.done;
      }),
    );

  run
    .command('show')
    .description('show a run: its state, attempts and operations')
    .argument('<id>', 'the run, or the beginning of its id')
    .addHelpText('after', '\nExample:\n  recovery-lab run show 3f2a')
    .action(
      reading(async ({ client, out }, _options, id = '') => {
        const detail = await withAllOperations(client, await findRun(client, id));
        const late = out.json ? [] : await lateAnswerLines(client, detail);
        out.result(detail, () => [...describeRun(detail, out.paint), ...late]);
        return exitCodes.done;
      }),
    );

  run
    .command('events')
    .description("print a run's events, each with its number")
    .argument('<id>', 'the run, or the beginning of its id')
    .option('--after <n>', 'only events after number n', wholeNumber, 0)
    .option('--follow', 'go on until the run is at rest')
    .addHelpText('after', '\nExample:\n  recovery-lab run events 3f2a --after 40 --follow')
    .action(
      reading<EventOptions>(async ({ client, out }, options, id = '') => {
        const { run: found } = await findRun(client, id);
        const print = (event: LabEvent): void => out.result(event, () => [describeEvent(event)]);
        if (options.follow) await followToRest(client, found.id, options.after, print);
        else await printEvents();
        return exitCodes.done;

        async function printEvents(): Promise<void> {
          for (let after = options.after; !out.closed;) {
            const page = await client.call('run/events', { run: found.id, after, limit: 200 });
            const last = page.at(-1);
            if (last === undefined) return;
            page.forEach(print);
            await out.flushed();
            after = last.sequence;
          }
        }
      }),
    );

  run
    .command('export')
    .description('give everything the ledger holds of a run, as one JSON object')
    .argument('<id>', 'the run, or the beginning of its id')
    .option('--output <file>', 'write it to a file')
    .addHelpText('after', '\nExample:\n  recovery-lab run export 3f2a --output run.json')
    .action(
      reading<{ output?: string }>(async ({ client, out }, { output }, id = '') => {
        const { run: found } = await findRun(client, id);
        const text = JSON.stringify(await client.call('run/export', { run: found.id }));
        if (output === undefined) {
          out.result(JSON.parse(text) as object, () => [text]);
          return exitCodes.done;
        }
        const file = resolve(output);
        writeWhole(file, `${text}\n`);
        const bytes = Buffer.byteLength(text) + 1;
        out.result({ run: found.id, file, bytes }, () => [`wrote ${bytes} bytes to ${file}`]);
        return exitCodes.done;
      }),
    );
}

/** Writes a file, readable by its owner alone, so that it is there as a whole or not at all. */
function writeWhole(file: string, content: string): void {
  try {
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, content, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LabError('invalid-input', `${file} cannot be written: ${why}`, 'Name another file with --output.');
  }
}
