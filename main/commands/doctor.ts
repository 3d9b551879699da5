import type { Command } from 'commander';
import type { DoctorCheck } from '../../runtime/contract/index.ts';
import { asLabError } from '../../runtime/core/index.ts';
import { alone, exitCodes, inSession, type CommandContext } from '../command-action.ts';
import { checkMachine } from '../doctor.ts';
import { openHostSession } from '../lab-session.ts';
import { printable } from '../output.ts';
import { table } from '../table.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and the data folder, by trying; exits with 1 when something is wrong')
    .addHelpText('after', '\nExample:\n  recovery-lab doctor --data-dir ./lab-data')
    .action(
      alone(async (context) => {
        const checks = await allChecks(context);
        if (context.out.json) for (const check of checks) context.out.result(check, () => []);
        else context.out.text(...table(checks.map((check) => row(check))));
        return checks.every(({ ok }) => ok !== false) ? exitCodes.done : exitCodes.failed;

        function row({ name, ok, detail }: DoctorCheck): string[] {
          const { paint } = context.out;
          const mark = ok === null ? paint('yellow', '–') : ok ? paint('green', '✓') : paint('red', '✗');
          return [mark, name, printable(detail)];
        }
      }),
    );
}

/** What a lab says of itself; when none can be had, what can be said without one, and why. */
async function allChecks({ folder, out }: Omit<CommandContext, 'client'>): Promise<DoctorCheck[]> {
  try {
    const session = await openHostSession(folder, (line) => out.note(line));
    return await inSession(session, out, (client) => client.call('doctor', {}));
  } catch (thrown) {
    const { message, next } = asLabError(thrown);
    return [...checkMachine(folder), { name: 'host', ok: false, detail: `${message}. ${next}`.trim() }];
  }
}
