import type { AgentCall } from '../contract/index.ts';
import {
  asLabError,
  LabError,
  limits,
  toolFailure,
  toWireError,
  type Json,
  type JsonObject,
  type WireError,
} from '../core/index.ts';
import type { CompileSchema } from './agent-call.ts';
import { inventoryTools } from './inventory-tools.ts';
import type { McpConnections } from './mcp-connections.ts';
import { stopped, type PlatformCall } from './platform-call.ts';

export type ToolResult =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: WireError };

/**
 * A tool as an agent has it. An error of the tool is a result; `run` rejects only when the call as a whole must end, as
 * it must for an error of a journaled tool: the model is not to be told of it.
 */
export interface AgentTool {
  readonly kind: 'tool' | 'mcp';
  readonly receiptName: string;
  /** A journaled tool's receipts are kept with its operation, and reading what there is leaves none. */
  readonly leavesReceipt: boolean;
  run(args: JsonObject): Promise<ToolResult>;
}

/** The agent's tools by name: functions of the relay and tools of MCP servers. Two of one name are refused. */
export async function gatherTools(
  call: PlatformCall,
  asked: AgentCall,
  parts: { readonly connections: McpConnections; readonly compileSchema: CompileSchema },
): Promise<ReadonlyMap<string, AgentTool>> {
  const tools = new Map<string, AgentTool>();
  const add = (name: string, tool: AgentTool): void => {
    const other = tools.get(name);
    if (other !== undefined) {
      throw new LabError(
        'invalid-input',
        `agent ${asked.name} would have two tools named ${name}: ${other.receiptName} and ${tool.receiptName}`,
        'Rename one, or name the tools of the MCP server that the agent may use.',
      );
    }
    tools.set(name, tool);
  };
  for (const { name, inputSchema } of asked.tools) {
    const check = await parts.compileSchema(inputSchema, `the inputSchema of tool ${name} (agent ${asked.name})`);
    add(name, {
      kind: 'tool',
      receiptName: name,
      leavesReceipt: call.journal === null,
      run: (args) => runRelayTool(call, asked.name, name, args, check),
    });
  }
  for (const { server, tools: allowed } of asked.mcp) {
    for (const { name, run } of await serverTools(call, parts.connections, server, allowed)) {
      add(name, { kind: 'mcp', receiptName: `${server}.${name}`, leavesReceipt: true, run });
    }
  }
  for (const { name, look } of call.journal === null ? [] : inventoryTools(asked, call.journal)) {
    const run = (): Promise<ToolResult> => Promise.resolve({ ok: true, value: look() });
    add(name, {
      kind: 'tool',
      receiptName: `${name} (of every agent with recovery "restart")`,
      leavesReceipt: false,
      run,
    });
  }
  return tools;
}

async function runRelayTool(
  call: PlatformCall,
  agent: string,
  name: string,
  args: JsonObject,
  check: (value: Json) => string[],
): Promise<ToolResult> {
  const violations = check(args);
  if (violations.length > 0) {
    const message = `the arguments of tool ${name} do not meet its inputSchema: ${violations.join('; ')}`;
    return { ok: false, error: toWireError(new LabError('invalid-input', message)) };
  }
  const text = JSON.stringify(args);
  const bytes = Buffer.byteLength(text);
  if (call.journal !== null && bytes > limits.inputBytes) {
    const message = `the arguments of tool ${name} are ${bytes} bytes of JSON; at most ${limits.inputBytes} are kept`;
    return { ok: false, error: toWireError(new LabError('too-large', message)) };
  }
  const outcome = await orStopped(call, `the tool ${name}`, call.callTool(name, text));
  if (!outcome.ok && call.journal !== null) throw toolFailure(agent, name, outcome.error);
  return outcome.ok ? { ok: true, value: JSON.parse(outcome.value) as Json } : outcome;
}

/** The tools of a server, or those of them that are allowed. Throws for an allowed one that the server has not. */
async function serverTools(
  call: PlatformCall,
  connections: McpConnections,
  server: string,
  allowed: readonly string[] | null,
): Promise<{ name: string; run: (args: JsonObject) => Promise<ToolResult> }[]> {
  const opened = await connections.session(call, server);
  opened.require(allowed ?? []);
  const run = async (name: string, args: JsonObject): Promise<ToolResult> => {
    try {
      const session = await connections.session(call, server);
      return { ok: true, value: await session.call(name, args, call.signal) };
    } catch (error) {
      if (call.signal.aborted) throw error;
      return { ok: false, error: toWireError(asLabError(error)) };
    }
  };
  return (allowed ?? opened.tools).map((name) => ({ name, run: (args) => run(name, args) }));
}

/** The promise's value, unless the call is stopped before: a process that is gone answers nothing. */
function orStopped<T>(call: PlatformCall, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(stopped(what, call.signal));
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => call.signal.removeEventListener('abort', stop));
  });
}
