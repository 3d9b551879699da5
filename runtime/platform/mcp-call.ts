import { asLabError, type Json } from '../core/index.ts';
import type { McpCall } from '../contract/index.ts';
import { checkResultSize, forReceipt } from './json-bounds.ts';
import type { McpConnections } from './mcp-connections.ts';
import type { PlatformCall } from './platform-call.ts';

/** One direct call of an MCP server's tool, with its receipt, whatever came of it. */
export async function performMcp(call: PlatformCall, asked: McpCall, connections: McpConnections): Promise<Json> {
  const name = `${asked.server}.${asked.tool}`;
  const begun = performance.now();
  const keep = (ok: boolean, outcome: { result: Json } | { error: Json }): Promise<void> =>
    call.receipt({
      kind: 'mcp',
      name,
      ok,
      durationMs: performance.now() - begun,
      data: { server: asked.server, tool: asked.tool, arguments: forReceipt(asked.arguments), ...outcome },
    });
  try {
    const session = await connections.session(call, asked.server);
    const result = checkResultSize(
      `the MCP tool ${name}`,
      await session.call(asked.tool, asked.arguments, call.signal, (value) => giveLate(call, name, value)),
    );
    await keep(true, { result: forReceipt(result) });
    return result;
  } catch (error) {
    const failure = asLabError(error);
    await keep(false, { error: { code: failure.code, message: failure.message } });
    throw failure;
  }
}

/** An answer that nobody waits for any more. One that a relay could not be given is no evidence that can be accepted. */
function giveLate(call: PlatformCall, name: string, value: Json): void {
  const source = `the MCP tool ${name}`;
  try {
    call.late?.({ source, value: checkResultSize(source, value) });
  } catch {
    // Too large: it is let go, as it would have been in time.
  }
}
