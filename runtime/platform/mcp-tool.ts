import { LabError } from '../core/index.ts';

/** Throws `invalid-input` when a server has not all the tools that are wanted of it, naming what it has. */
export function requireTools(server: string, wanted: readonly string[], known: readonly string[]): void {
  const missing = wanted.find((tool) => !known.includes(tool));
  if (missing === undefined) return;
  throw new LabError(
    'invalid-input',
    `the MCP server ${server} has no tool ${JSON.stringify(missing)}: it has ${known.join(', ') || 'none'}`,
    'Correct the name of the tool.',
    { server, tool: missing },
  );
}
