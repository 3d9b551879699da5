import type { JsonObject } from '../core/index.ts';
import { checkKeys, refuse } from './call-check.ts';
import { platformCall } from './platform-call.ts';
import { toJson } from './values.ts';

export interface McpOptions {
  /** As named in `relay.json`. */
  server: string;
  /** Names the operation too. */
  tool: string;
  arguments?: Record<string, unknown>;
  /** The author's word that the tool may be called again with the same arguments. */
  replaySafe?: boolean;
}

/** Calls a tool of an MCP server and gives its result. One operation. Rejects as `agent`. */
export async function mcp<Result = JsonObject>(options: McpOptions): Promise<Result> {
  checkKeys('mcp', options, ['server', 'tool', 'arguments', 'replaySafe']);
  const { server, tool, arguments: given = {}, replaySafe = false } = options;
  for (const [key, value] of Object.entries({ server, tool })) {
    if (typeof value !== 'string' || value === '') refuse('mcp', `${key} is ${JSON.stringify(value)}`, 'a name');
  }
  const args = toJson(given, `the arguments of mcp "${server}.${tool}"`);
  return (await platformCall('mcp', tool, { server, tool, arguments: args }, replaySafe)) as Result;
}
