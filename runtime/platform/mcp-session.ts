import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { LabError, type Json, type JsonObject } from '../core/index.ts';
import { GroupedStdioTransport } from './grouped-stdio-transport.ts';
import type { BuiltInServer } from './mcp-connections.ts';
import { requireTools } from './mcp-tool.ts';
import { stopped } from './platform-call.ts';

export interface SessionParts {
  readonly server: string;
  readonly place: { readonly url: string } | BuiltInServer;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly guardGroup: (leader: number) => () => void;
}

/** A conversation with one MCP server. Its failures are LabErrors that name server, tool and what was seen. */
export interface McpSession {
  readonly server: string;
  /** False once the server is gone, has hung or was let go. */
  readonly isOpen: boolean;
  /** Names of the tools that the server offers, as it said when the session was opened. */
  readonly tools: readonly string[];
  /** The structured content of the answer; without it the text of a single text part; else the list of parts. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<Json>;
  close(): Promise<void>;
}

/** Opens a session: starts or reaches the server, greets it and asks for its tools. */
export async function openMcpSession(parts: SessionParts): Promise<McpSession> {
  const { server, place, timeoutMs } = parts;
  const client = new Client({ name: 'relay-recovery-lab', version: '1' });
  const transport =
    'url' in place ? new StreamableHTTPClientTransport(new URL(place.url)) : stdioTransport(parts, place);
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };

  const close = async (): Promise<void> => {
    isOpen = false;
    await client.close();
  };

  /** Turns a failed request into an error for people. A server that has hung is ended: what it does later is lost anyway. */
  const explain = async (error: unknown, doing: string, signal: AbortSignal): Promise<LabError> => {
    if (signal.aborted) return stopped(`${doing} of the MCP server ${server}`, signal);
    const code = error instanceof McpError ? error.code : null;
    if (code === (ErrorCode.RequestTimeout as number)) {
      await close();
      return failed(server, 'timeout', `did not answer ${doing} within ${timeoutMs} ms and was let go`);
    }
    const end = transport instanceof GroupedStdioTransport ? await transport.describeEnd() : null;
    if (end !== null) return failed(server, 'gone', `${end}; it was asked for ${doing}`);
    const message = error instanceof Error ? causeText(error) : String(error);
    return failed(server, code === null ? 'unreachable' : 'refused', `failed at ${doing}: ${message}`);
  };

  const request = { timeout: timeoutMs, signal: parts.signal };
  let tools: string[];
  try {
    await client.connect(transport, request);
    tools = await listTools(client, request);
  } catch (error) {
    const explained = await explain(error, 'its start', parts.signal);
    await close();
    throw explained;
  }

  return {
    server,
    tools,
    get isOpen() {
      return isOpen;
    },
    async call(tool, args, signal) {
      requireTools(server, [tool], tools);
      let answer;
      try {
        answer = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: timeoutMs, signal });
      } catch (error) {
        throw await explain(error, `the tool ${tool}`, signal);
      }
      const { content, structuredContent, isError } = answer as CallAnswer;
      const value = structuredContent ?? soleText(content) ?? content;
      if (isError !== true) return value;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      throw failed(server, 'tool-error', `answered the tool ${tool} with an error: ${text}`);
    },
    close,
  };
}

interface CallAnswer {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

function stdioTransport({ server, cwd, guardGroup }: SessionParts, place: BuiltInServer): GroupedStdioTransport {
  return new GroupedStdioTransport({ server, cwd, guardGroup, ...place });
}

async function listTools(client: Client, request: { timeout: number; signal: AbortSignal }): Promise<string[]> {
  const tools: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, request);
    tools.push(...page.tools.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < 1000);
  return tools;
}

function soleText(content: readonly JsonObject[]): string | null {
  const [only] = content;
  return content.length === 1 && typeof only?.['text'] === 'string' ? only['text'] : null;
}

function failed(server: string, reason: string, what: string): LabError {
  return new LabError('platform-failed', `the MCP server ${server} ${what}`, '', { server, reason });
}

/** `fetch failed` says nothing; its cause does. */
function causeText(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
