import { parseAgentCall, parseMcpCall } from '../contract/index.ts';
import { LabError, type Json, type JsonObject, type Resource } from '../core/index.ts';
import { performAgent, type CompileSchema } from './agent-call.ts';
import { performMcp } from './mcp-call.ts';
import { McpConnections } from './mcp-connections.ts';
import { inspectServer, type InspectedServer, type McpInspection } from './mcp-inspection.ts';
import type { BuiltInServer } from './mcp-place.ts';
import type { McpStates } from './mcp-states.ts';
import type { PlatformCall } from './platform-call.ts';

export type { PlatformCall } from './platform-call.ts';

interface PlatformParts {
  /** What `lab:NAME` in a manifest stands for. */
  readonly builtInServers: Readonly<Record<string, BuiltInServer>>;
  readonly compileSchema: CompileSchema;
  /** Has a process group killed when the host is gone; the returned function ends that. */
  readonly guardGroup: (leader: number) => () => void;
  /** A secret of the vault, as it is now: for the model's key and the headers of MCP servers. Rejects with a LabError. */
  readonly resolveSecret?: (name: string) => Promise<string>;
  /** How long an MCP server may take to answer, 30,000 when not given. */
  readonly mcpTimeoutMs?: number;
  /** How long an answer is waited for after its attempt's end, 2,000 when not given. */
  readonly lateMs?: number;
}

export interface OpenPlatform {
  /** `mcp:NAME` for each server that a call would go through. None for an input that `perform` will refuse. */
  connections(kind: 'agent' | 'mcp', input: Json): Resource[];
  /** Carries a call out. Rejects with a LabError that the relay's code may catch. */
  perform(call: PlatformCall): Promise<Json>;
  /** Ends the MCP servers of a run's attempt. */
  release(run: string, attempt: number): Promise<void>;
  /** What the sessions with MCP servers are doing now. */
  readonly mcpStates: Pick<McpStates, 'sessions' | 'failures' | 'onChange'>;
  /** Asks a server what it offers, in a session of its own. */
  inspectMcp(inspected: InspectedServer): Promise<McpInspection>;
  /** Ends all MCP servers. */
  close(): Promise<void>;
}

export function openPlatform({
  builtInServers,
  compileSchema,
  guardGroup,
  resolveSecret = noSecret,
  mcpTimeoutMs = 30_000,
  lateMs = 2000,
}: PlatformParts): OpenPlatform {
  const sources = { builtInServers, guardGroup, resolveSecret, timeoutMs: mcpTimeoutMs };
  const connections = new McpConnections({ ...sources, lateMs, now: () => Date.now() });
  return {
    connections: (kind, input) => serversOf(kind, input).map((server): Resource => `mcp:${server}`),
    perform: async (call) =>
      call.kind === 'mcp'
        ? performMcp(call, parseMcpCall(call.input), connections)
        : performAgent(call, parseAgentCall(call.input), { connections, compileSchema }),
    release: (run, attempt) => connections.release(run, attempt),
    mcpStates: connections.states,
    inspectMcp: (inspected) => inspectServer(sources, inspected),
    close: () => connections.close(),
  };
}

function noSecret(name: string): Promise<string> {
  return Promise.reject(new LabError('not-found', `there is no secret ${name}: this lab has no vault`));
}

function serversOf(kind: 'agent' | 'mcp', input: Json): string[] {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return [];
  const { server, mcp } = input as JsonObject;
  if (kind === 'mcp') return typeof server === 'string' ? [server] : [];
  if (!Array.isArray(mcp)) return [];
  const names = mcp.map((one: Json) =>
    one === null || typeof one !== 'object' ? null : (one as JsonObject)['server'],
  );
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
