import { LabError } from '../core/index.ts';

/**
 * Throws `invalid-input` when a tool that is wanted of a server is not among the known ones, or not among those that
 * relay.json allows, naming what there is.
 */
export function requireTools(
  server: string,
  wanted: readonly string[],
  known: readonly string[],
  allowed: readonly string[] | null = null,
): void {
  const refuse = (what: string, next: string, tool: string): never => {
    throw new LabError('invalid-input', what, next, { server, tool });
  };
  for (const tool of wanted) {
    const quoted = JSON.stringify(tool);
    if (allowed?.includes(tool) === false) {
      const what = `the tool ${quoted} of the MCP server ${server} is not allowed: relay.json allows ${allowed.join(', ')}`;
      refuse(what, 'Add it to "tools" of the server in relay.json, or correct its name.', tool);
    }
    if (known.includes(tool)) continue;
    const what = `the MCP server ${server} has no tool ${quoted}: it has ${known.join(', ') || 'none'}`;
    refuse(what, 'Correct the name of the tool.', tool);
  }
}
