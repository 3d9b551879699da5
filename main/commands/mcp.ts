import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Gives } from '../../runtime/contract/index.ts';
import { exitCodes, hosting } from '../command-action.ts';
import type { Output } from '../output.ts';
import { headed } from '../run-words.ts';

export function addMcpCommands(program: Command): void {
  const mcp = program.command('mcp').description('see the MCP servers of relays, and ask one what it offers');

  mcp
    .command('list')
    .description('list the MCP servers of all known relays, with what they are doing now')
    .addHelpText('after', '\nExample:\n  recovery-lab mcp list --json')
    .action(
      hosting(async ({ client, out }) => {
        const servers = await client.call('mcp/list', {});
        if (out.json) for (const one of servers) out.result(one, () => []);
        else if (servers.length === 0) out.text('No known relay has an MCP server.');
        else
          out.text(
            ...headed(
              [['', 'server', 'relay', 'where', 'secrets'], ...servers.map((one) => rowOf(one, out))],
              out.paint,
            ),
          );
        return exitCodes.done;
      }),
    );

  mcp
    .command('inspect')
    .description('start or reach an MCP server, print what it offers, and let it go')
    .argument('<relay>', "a relay's folder, or the name of a known relay")
    .argument('<server>', 'its name in "mcp" of relay.json')
    .addHelpText('after', '\nExample:\n  recovery-lab mcp inspect order-fulfilment inventory')
    .action(
      hosting<object>(async ({ client, out }, _options, relay = '', server = '') => {
        const known = (await client.call('relay/list', {})).find(({ name }) => name === relay);
        const offered = await client.call('mcp/inspect', { folder: known?.folder ?? resolve(relay), server });
        out.result(offered, () => inspectionLines(offered, out));
        return exitCodes.done;
      }),
    );
}

function rowOf(
  { relay, server, target, secrets, sessions, failure }: Gives<'mcp/list'>[number],
  out: Output,
): string[] {
  const [session] = sessions;
  const state =
    session !== undefined
      ? out.paint('green', `● ${session.state}`)
      : failure === null
        ? '○ idle'
        : out.paint('red', '✗ failed');
  return [state, server, relay, target, secrets.join(', ')];
}

function inspectionLines({ name, version, protocol, tools }: Gives<'mcp/inspect'>, out: Output): string[] {
  return [
    `${name} ${version}, protocol ${protocol}, ${tools.length} tools`,
    ...tools.flatMap((tool) => [
      `  ${out.paint('bold', tool.name)}${tool.isAllowed ? '' : ' (not allowed by relay.json)'}`,
      ...tool.description.split('\n').map((line) => `    ${line}`),
      `    input  ${JSON.stringify(tool.inputSchema)}`,
      ...(tool.outputSchema === null ? [] : [`    output ${JSON.stringify(tool.outputSchema)}`]),
    ]),
  ];
}
