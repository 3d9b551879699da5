import type { Command } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabClient, LabEvent } from '../../runtime/contract/index.ts';
import { alone, exitCodes, inSession, type CommandContext } from '../command-action.ts';
import { findDataFolder } from '../data-folder.ts';
import { openHostSession } from '../lab-session.ts';
import { timeline } from '../timeline.ts';
import { describeScenario } from './scenario.ts';

/** The stops of the tour: a scenario each, and what to look for in it. */
const stops = [
  {
    scenario: 'complete',
    words: [
      'An order relay runs in a process of its own: an agent extracts the order, an MCP server reserves the goods,',
      'the order service creates the order. Each operation leaves a durable checkpoint before the next begins.',
    ],
  },
  {
    scenario: 'crash-after-checkpoint',
    words: [
      'The same relay, killed (SIGKILL) at the moment when "reserve" is durable and the relay does not know it yet.',
      'Recovery starts a second process: what is checkpointed is reused (◇), and nothing is reserved twice.',
    ],
  },
  {
    scenario: 'crash-during-safe',
    words: [
      'Killed after the order service stored the order and before its answer arrived. The step runs again, with the same',
      'idempotency key, so the service is asked twice and still holds one order.',
    ],
  },
  {
    scenario: 'crash-during-uncertain',
    words: [
      'Killed in an action that must not be repeated: a line in an audit log that knows no duplicates. Nobody can know',
      'from outside whether it happened, so the lab repeats nothing and asks a person, who has three answers.',
    ],
  },
] as const;

export function addTourCommand(program: Command): void {
  program
    .command('tour')
    .description('see the four main rehearsals, with their evidence, in a temporary data folder')
    .addHelpText('after', '\nExample:\n  recovery-lab tour')
    .action(
      alone(async ({ out }) => {
        const root = mkdtempSync(join(tmpdir(), 'recovery-lab-tour-'));
        process.once('exit', () => rmSync(root, { recursive: true, force: true }));
        const session = await openHostSession(findDataFolder(root), (line) => out.note(line));
        const ok = await inSession(session, out, (client) => walk({ client, out }));
        sayGoodbye(ok);
        return ok ? exitCodes.done : exitCodes.failed;

        function sayGoodbye(ok: boolean): void {
          out.text(
            '',
            ok
              ? out.paint('green', 'Every piece of evidence is there.')
              : out.paint('red', 'Some evidence is missing.'),
            '',
            'What to try next:',
            '  npm run lab -- scenario list                 all rehearsals; scenario run NAME runs one of them',
            '  npm run lab -- run start FOLDER --crash OPERATION@after-checkpoint',
            '                                               crash a relay of your own, then: run recover ID',
            '  npm run lab -- doctor                        what this machine has been proved to hold',
            '  npm run lab -- --help                        everything else',
          );
        }
      }),
    );
}

async function walk({ client, out }: Pick<CommandContext, 'client' | 'out'>): Promise<boolean> {
  let ok = true;
  out.text(
    'Four rehearsals in real processes. In the timelines: ◆ done, ◇ reused from its checkpoint, ◌ begun and not',
    "completed, ⚡ killed. The evidence is read from the ledger, the services' own databases and the process table.",
    '',
  );
  for (const [index, { scenario, words }] of stops.entries()) {
    out.text(...(index === 0 ? [] : ['']), out.paint('bold', `${index + 1} of ${stops.length}  ${scenario}`));
    out.text(...words.map((line) => `  ${line}`), '');
    out.progress(`scenario ${scenario} runs`);
    const begun = performance.now();
    const result = await client.call('scenario/run', { name: scenario });
    const took = performance.now() - begun;
    out.progress(null);
    if (result.runId !== null) {
      const detail = await client.call('run/show', { run: result.runId });
      const events = await allEvents(client, result.runId);
      out.text(...timeline(detail, events, out.paint).map((line) => `  ${line}`), '');
    }
    out.result(result, () => describeScenario(result, took, out.paint).map((line) => `  ${line}`));
    ok = ok && result.ok;
  }
  return ok;
}

async function allEvents(client: LabClient, run: string): Promise<LabEvent[]> {
  const events: LabEvent[] = [];
  for (;;) {
    const page = await client.call('run/events', { run, after: events.at(-1)?.sequence ?? 0, limit: 1000 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}
