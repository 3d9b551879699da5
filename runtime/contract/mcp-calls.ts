import { z } from 'zod';
import { jsonObject } from './json-schema.ts';

const session = z.strictObject({
  run: z.string(),
  attempt: z.int().positive(),
  state: z.enum(['starting', 'connected']),
  /** When it came to this state. */
  since: z.number(),
  /** The server's process; null over HTTP, and until it is connected. */
  pid: z.int().nullable(),
});

/** An MCP server of a known relay, as its relay.json describes it and as it stands now. */
export const mcpServerRow = z.strictObject({
  relay: z.string(),
  /** The relay's folder. */
  folder: z.string(),
  server: z.string(),
  transport: z.enum(['stdio', 'http']),
  /** The program with its arguments, or the address without user, password and query. */
  target: z.string(),
  /** The tools that relay.json allows; null for all. */
  allowed: z.array(z.string()).nullable(),
  /** Names of the secrets that it is given. */
  secrets: z.array(z.string()),
  /** What attempts have open with it now; none when it is idle. */
  sessions: z.array(session),
  /** The last time that it failed, with no success after it. */
  failure: z.strictObject({ run: z.string(), at: z.number(), message: z.string(), next: z.string() }).nullable(),
});

const tool = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  /** False for one that relay.json leaves out. */
  isAllowed: z.boolean(),
});

const place = z.strictObject({ folder: z.string().min(1).max(4096), server: z.string().min(1).max(64) });

/** Calls of the client API on the MCP servers of relays. */
export const mcpCalls = {
  'mcp/list': { takes: z.strictObject({}), gives: z.array(mcpServerRow) },
  /**
   * Starts or reaches a server from the relay's folder as it is now, asks what it offers, and lets it go. Throws
   * `cancelled` when it is stopped, `wrong-state` while it is being asked already.
   */
  'mcp/inspect': {
    takes: place,
    gives: z.strictObject({
      name: z.string(),
      version: z.string(),
      /** The version of the protocol that was agreed on. */
      protocol: z.string(),
      instructions: z.string().nullable(),
      tools: z.array(tool),
    }),
  },
  /** Ends an inspection that is under way; nothing happens when there is none. */
  'mcp/inspect-stop': { takes: place, gives: z.null() },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;
