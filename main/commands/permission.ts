import type { Command } from 'commander';
import { exitCodes, hosting, reading } from '../command-action.ts';
import { personHere } from '../person-here.ts';
import { headed } from '../run-words.ts';

interface DecisionOptions {
  readonly by: string;
}

export function addPermissionCommands(program: Command): void {
  const permission = program.command('permission').description('see and change what relays are permitted');

  permission
    .command('list')
    .description('list what is granted and what is revoked')
    .addHelpText('after', '\nExample:\n  recovery-lab permission list --json')
    .action(
      reading(async ({ client, out }) => {
        const permissions = await client.call('permission/list', {});
        if (out.json) for (const one of permissions) out.result(one, () => []);
        else if (permissions.length === 0)
          out.text('Nothing is granted yet; starting a relay grants what it declares.');
        else {
          const rows = permissions.map(({ resource, caller, granted, changedAt, changedBy }) => [
            granted ? out.paint('green', '✓ granted') : out.paint('red', '✗ revoked'),
            resource,
            caller,
            `${new Date(changedAt).toISOString().slice(0, 19).replace('T', ' ')} by ${changedBy}`,
          ]);
          out.text(...headed([['', 'resource', 'caller', 'changed'], ...rows], out.paint));
        }
        return exitCodes.done;
      }),
    );

  for (const [name, granted, description] of [
    ['grant', true, 'permit relay:NAME, mcp:NAME, service:NAME or secret:RELAY/NAME'],
    [
      'revoke',
      false,
      'revoke relay:NAME, mcp:NAME, service:NAME or secret:RELAY/NAME, at once: met by the next attempt, platform call or admit() of a run under way',
    ],
  ] as const) {
    permission
      .command(name)
      .description(description)
      .argument('<resource>', 'relay:NAME, mcp:NAME, service:NAME or secret:RELAY/NAME')
      .option('--by <name>', 'who decides', personHere())
      .addHelpText('after', `\nExample:\n  recovery-lab permission ${name} relay:order-fulfilment`)
      .action(
        hosting<DecisionOptions>(async ({ client, out }, { by }, resource = '') => {
          const changed = await client.call('permission/set', { resource, granted, by });
          out.result(changed, () => [`${changed.resource} is ${granted ? 'granted' : 'revoked'}`]);
          return exitCodes.done;
        }),
      );
  }
}
