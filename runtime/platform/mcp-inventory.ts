import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { LabError, type JsonObject } from '../core/index.ts';

/** A tool as its server describes it. */
export interface McpTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What the structured content of its answers meets, when the server says. */
  readonly outputSchema: JsonObject | null;
}

/** An inventory that goes beyond is refused: a server that pages for ever would never be done. */
const mostTools = 1000;
const mostPages = 100;

/** The whole inventory, page by page. Throws `platform-failed` for one that does not end. */
export async function listTools(server: string, client: Client, options: () => RequestOptions): Promise<McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages && tools.length <= mostTools; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // Not the SDK's own listTools: with each page it forgets the schemas of the one before.
    const page = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, options());
    tools.push(...page.tools.map(toTool));
    if (page.nextCursor === undefined) return tools;
    cursor = page.nextCursor;
  }
  throw new LabError(
    'platform-failed',
    `the MCP server ${server} does not come to an end of its tools: ${tools.length} in up to ${mostPages} pages; at most ${mostTools} are taken`,
    'Take a server with fewer tools, or correct its paging.',
    { server, reason: 'nonsense' },
  );
}

function toTool({ name, title, description, inputSchema, outputSchema }: Tool): McpTool {
  return {
    name,
    title: title ?? null,
    description: description ?? '',
    inputSchema: inputSchema as JsonObject,
    outputSchema: (outputSchema as JsonObject | undefined) ?? null,
  };
}
