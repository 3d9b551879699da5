import { Command } from 'commander';
import { addDoctorCommand } from './commands/doctor.ts';
import { addMcpCommands } from './commands/mcp.ts';
import { addPageCommand } from './commands/page.ts';
import { addPermissionCommands } from './commands/permission.ts';
import { addRunEnding, addRunFork, addRunReconcile, addRunRecover } from './commands/run-changing.ts';
import { addRunLiving } from './commands/run-living.ts';
import { addRunReading } from './commands/run-reading.ts';
import { addRunStart } from './commands/run-start.ts';
import { addScenarioCommands } from './commands/scenario.ts';
import { addTourCommand } from './commands/tour.ts';
import { addVaultCommands } from './commands/vault.ts';
import { productVersion } from './version.ts';

/** The whole command line. Wrong words are thrown as CommanderErrors, and so are help and version once printed. */
export function commandLine(): Command {
  const program = new Command('recovery-lab')
    .description('Rehearse how a durable program recovers: real processes, exact kills, evidence.')
    .version(productVersion())
    .option('--json', 'print one JSON object a line, and nothing else, on stdout')
    .option('--data-dir <folder>', 'the data folder (default: $RECOVERY_LAB_DATA_DIR, or the place for such data)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 evidence is missing or the run did not succeed, 2 wrong use, 3 refused (conflict, lock,
permission, binding).

Examples:
  recovery-lab page
  recovery-lab tour
  recovery-lab scenario run --all
  recovery-lab run start ./my-relay --crash reserve@after-checkpoint
  recovery-lab run recover 3f2a`,
    );
  const run = program.command('run').description('start runs, look at them, and decide on them');
  addRunStart(run);
  addRunReading(run);
  addRunRecover(run);
  addRunEnding(run);
  addRunLiving(run);
  addRunFork(run);
  addRunReconcile(run);
  addPermissionCommands(program);
  addVaultCommands(program);
  addScenarioCommands(program);
  addMcpCommands(program);
  addDoctorCommand(program);
  addTourCommand(program);
  addPageCommand(program);
  return program;
}
