import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CallToolResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { LabError, type Json, type JsonObject } from '../core/index.ts';
import { readAnswer, type CallAnswer } from './mcp-answer.ts';
import { requestFailure } from './mcp-failure.ts';
import { listTools, type McpTool } from './mcp-inventory.ts';
import type { McpPlace } from './mcp-place.ts';
import { requireTools } from './mcp-tool.ts';
import { openTransport, type TransportParts } from './mcp-transport.ts';
import { stopped, throwIfStopped } from './platform-call.ts';
import { followSignal, untilStopped } from './until-stopped.ts';
import { WatchedTransport, type EndingTransport } from './watched-transport.ts';

export interface SessionParts extends TransportParts {
  readonly server: string;
  readonly place: McpPlace;
  /** Tools that relay.json allows; null for all. */
  readonly allowed: readonly string[] | null;
  readonly timeoutMs: number;
  /** Ends the opening. */
  readonly signal: AbortSignal;
}

/** Who a server says it is. */
export interface ServerWords {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly instructions: string | null;
}

/** A call may go on for as long as its server tells of progress, but not longer than this. */
const mostCallMs = 600_000;

/** After these nothing good comes over the connection any more; the next call opens another. */
const ending: readonly unknown[] = ['timeout', 'http', 'unreachable'];

/** Opens a session: starts or reaches the server, greets it and asks for its tools. */
export async function openMcpSession(parts: SessionParts): Promise<McpSession> {
  const session = new McpSession(parts);
  await session.open();
  return session;
}

/** A conversation with one MCP server. Its failures are LabErrors that name server, tool and what was seen. */
export class McpSession {
  readonly #parts: SessionParts;
  readonly #inner: EndingTransport;
  readonly #transport: WatchedTransport;
  readonly #client = new Client({ name: 'relay-recovery-lab', version: '1' });
  readonly #ended = Promise.withResolvers<string | null>();
  /** Calls whose answer has not come, also those that nobody waits for any more. */
  readonly #unanswered = new Set<Promise<unknown>>();
  #isOpen = true;
  #isStale = false;
  #offered: readonly McpTool[] = [];

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#inner = openTransport(parts);
    this.#transport = new WatchedTransport(this.#inner);
    this.#client.onclose = () => void this.#onClose();
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (this.#isStale = true));
  }

  /** False once the server is gone, has hung or was let go. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when it is over: with how the server ended, or null when it was let go. */
  get ended(): Promise<string | null> {
    return this.#ended.promise;
  }

  /** The server's process; null when it is reached over the network. */
  get pid(): number | null {
    return this.#inner.pid;
  }

  /** The tools that may be called: those that the server offered last, without what relay.json does not allow. */
  get inventory(): readonly McpTool[] {
    const { allowed } = this.#parts;
    return this.#offered.filter(({ name }) => allowed?.includes(name) ?? true);
  }

  get tools(): readonly string[] {
    return this.inventory.map(({ name }) => name);
  }

  get words(): ServerWords {
    const { name = '', version = '' } = this.#client.getServerVersion() ?? {};
    const instructions = this.#client.getInstructions() ?? null;
    return { name, version, protocol: this.#transport.protocolVersion ?? '', instructions };
  }

  async open(): Promise<void> {
    const { signal, letGo } = followSignal(this.#parts.signal);
    const options = (): RequestOptions => ({ timeout: this.#parts.timeoutMs, signal });
    try {
      await this.#client.connect(this.#transport, options());
      await this.#readTools(options);
    } catch (error) {
      const failure = await this.#explain(error, 'its start', this.#parts.signal);
      await this.close();
      throw failure;
    } finally {
      letGo();
    }
  }

  /** Asks for the tools again when the server has said that they changed. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (!this.#isStale) return;
    try {
      await this.#readTools(() => ({ timeout: this.#parts.timeoutMs }));
    } catch (error) {
      this.#isStale = true;
      throw await this.#explain(error, 'its tools', signal);
    }
  }

  /** Throws `invalid-input` for the first of these tools that is not there or not allowed. */
  require(wanted: readonly string[]): void {
    const offered = this.#offered.map(({ name }) => name);
    requireTools(this.#parts.server, wanted, offered, this.#parts.allowed);
  }

  /**
   * Calls a tool; what comes is described at `readAnswer`. Stopped by the signal it rejects at once and has the server
   * told; an answer that comes all the same is given to `late`.
   */
  async call(
    tool: string,
    args: JsonObject,
    signal: AbortSignal,
    late: (value: Json) => void = () => {},
  ): Promise<Json> {
    const { server } = this.#parts;
    const doing = `the tool ${tool}`;
    const what = `${doing} of the MCP server ${server}`;
    await this.refresh(signal);
    this.require([tool]);
    throwIfStopped(what, signal);
    const { value, cancel } = this.#ask(tool, args);
    const stop = (): LabError => {
      const stop = stopped(what, signal);
      cancel(stop.message);
      return stop;
    };
    return untilStopped(value, signal, { stop, late }).catch(async (error: unknown) => {
      throw error instanceof LabError ? error : await this.#explain(error, doing, signal);
    });
  }

  /** Resolves when no call waits for its answer; null when none does now. */
  answered(): Promise<void> | null {
    return this.#unanswered.size === 0 ? null : Promise.all(this.#unanswered).then(() => {});
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#ended.resolve(null);
    await this.#client.close();
  }

  /** Sends the request now; its answer comes whether or not somebody still waits for it. */
  #ask(name: string, args: JsonObject): { readonly value: Promise<Json>; readonly cancel: (reason: string) => void } {
    const { server, timeoutMs, place } = this.#parts;
    const found = this.#offered.find((one) => one.name === name);
    const answer = this.#client.request(
      { method: 'tools/call', params: { name, arguments: args } },
      CallToolResultSchema,
      {
        timeout: timeoutMs,
        // To ask for progress is what lets a server tell of it; each sign of life gives it the whole time again.
        onprogress: () => {},
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(mostCallMs, timeoutMs),
      },
    );
    const requestId = this.#transport.lastRequest ?? 0;
    const value = answer.then((given) => {
      if (found === undefined) throw new Error(`the tool ${name} is not there`);
      return readAnswer({ server, tool: found, secrets: place.secrets }, given as CallAnswer);
    });
    const settled = value.then(
      () => {},
      () => {},
    );
    this.#unanswered.add(settled);
    void settled.then(() => this.#unanswered.delete(settled));
    return {
      value,
      cancel: (reason) =>
        void this.#client
          .notification({ method: 'notifications/cancelled', params: { requestId, reason } })
          .catch(() => {
            // A server that is gone need not be told.
          }),
    };
  }

  async #readTools(options: () => RequestOptions): Promise<void> {
    this.#isStale = false;
    this.#offered = await listTools(this.#parts.server, this.#client, options);
  }

  /** A failed request as an error for people. */
  async #explain(error: unknown, doing: string, signal: AbortSignal): Promise<LabError> {
    const { server, timeoutMs, place } = this.#parts;
    if (signal.aborted) return stopped(`${doing} of the MCP server ${server}`, signal);
    if (error instanceof LabError) return error;
    const end = await this.#inner.describeEnd();
    const failure = requestFailure({ server, doing, error, end, timeoutMs, secrets: place.secrets });
    if (ending.includes(failure.facts['reason'])) await this.close();
    return failure;
  }

  async #onClose(): Promise<void> {
    this.#isOpen = false;
    this.#ended.resolve((await this.#inner.describeEnd()) ?? 'closed the connection');
  }
}
