import type { Manifest } from '../contract/index.ts';
import { forReceipt } from './json-bounds.ts';
import { describedServer, openSession, type SessionSources } from './mcp-connections.ts';
import type { McpTool } from './mcp-inventory.ts';
import type { ServerWords } from './mcp-session.ts';

/** What a server says of itself. */
export interface McpInspection extends ServerWords {
  /** What it offers, also what relay.json does not allow; texts and schemas cut where they are very long. */
  readonly tools: readonly (McpTool & { readonly isAllowed: boolean })[];
}

/** A relay's folder as it is now, and which of its servers is meant. */
export interface InspectedServer {
  readonly folder: string;
  readonly manifest: Pick<Manifest, 'name' | 'mcp'>;
  readonly server: string;
  readonly signal: AbortSignal;
}

const descriptionCharacters = 4000;

/**
 * Starts or reaches a server from the relay's own folder, asks what it offers, and lets it go. Throws as a session does
 * that cannot be opened, and `cancelled` when the signal comes first.
 */
export async function inspectServer(
  sources: SessionSources,
  { folder, manifest, server, signal }: InspectedServer,
): Promise<McpInspection> {
  const described = describedServer({ relay: manifest.name, mcp: manifest.mcp }, server);
  const { tools: allowed, ...whole } = described;
  const session = await openSession(sources, server, whole, { cwd: folder, stderr: null, signal });
  try {
    const { name, version, protocol, instructions } = session.words;
    const tools = session.inventory.map((tool) => ({
      ...cutTool(tool),
      isAllowed: allowed?.includes(tool.name) ?? true,
    }));
    return { name, version, protocol, instructions: instructions?.slice(0, descriptionCharacters) ?? null, tools };
  } finally {
    await session.close();
  }
}

function cutTool(tool: McpTool): McpTool {
  const { description, inputSchema, outputSchema } = tool;
  return {
    ...tool,
    description: description.slice(0, descriptionCharacters),
    inputSchema: forReceipt(inputSchema) as McpTool['inputSchema'],
    outputSchema: forReceipt(outputSchema) as McpTool['outputSchema'],
  };
}
