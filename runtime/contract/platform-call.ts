import { z } from 'zod';
import { LabError, type Json } from '../core/index.ts';
import { jsonObject } from './json-schema.ts';
import { describeIssues } from './schema-issues.ts';

/** What `agent` and `mcp` of `agentworks` send as the `input` of a `perform` frame: the author's own words as JSON. */

const schema = z.union([jsonObject, z.boolean()]);
const agentName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'expected 1 to 64 letters, digits, ".", "_" or "-", led by a letter or digit');

/** A tool whose function lives in the relay's process. */
const relayTool = z.strictObject({
  name: agentName,
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  inputSchema: schema.nullish().transform((given) => given ?? true),
  /** It has a callback that says what became of an interrupted call. For `recovery: "restart"`. */
  recover: z
    .boolean()
    .nullish()
    .transform((has) => has ?? false),
});

const agentServer = z.strictObject({
  server: z.string().min(1),
  /** Null for the server's whole inventory. */
  tools: z
    .array(z.string().min(1))
    .nullish()
    .transform((names) => names ?? null),
});

const messages = z.array(z.string()).min(1, 'expected 1 to 100 messages').max(100, 'expected 1 to 100 messages');

const agentCall = z
  .strictObject({
    name: agentName,
    systemPrompt: z.string(),
    userMessage: z.string().nullish(),
    messages: messages.nullish(),
    model: z
      .string()
      .min(1)
      .nullish()
      .transform((model) => model ?? null),
    tools: z
      .array(relayTool)
      .nullish()
      .transform((tools) => tools ?? []),
    skills: z
      .array(z.string())
      .nullish()
      .transform((skills) => skills ?? []),
    mcp: z
      .array(agentServer)
      .nullish()
      .transform((servers) => servers ?? []),
    outputSchema: schema.nullish().transform((given) => given ?? null),
    maxTurns: z
      .int()
      .min(1)
      .max(100)
      .nullish()
      .transform((turns) => turns ?? 20),
    recovery: z.literal('restart').nullish(),
    /** Read by whoever records the operation's intent. */
    replaySafe: z.boolean().nullish(),
  })
  .refine((call) => (call.userMessage ?? null) === null || (call.messages ?? null) === null, {
    path: ['messages'],
    error: 'expected either userMessage or messages, not both',
  })
  .refine((call) => (call.userMessage ?? null) !== null || (call.messages ?? null) !== null, {
    path: ['userMessage'],
    error: 'expected userMessage (a text) or messages (1 to 100 texts)',
  })
  .superRefine((call, context) => {
    if (call.recovery !== 'restart') return;
    const refuse = (path: string, why: string): void =>
      context.addIssue({ code: 'custom', path: [path], message: `expected none with recovery "restart": ${why}` });
    if (call.replaySafe === true) refuse('replaySafe', 'its journal is there because repeating is not safe');
    if (call.skills.length > 0) refuse('skills', 'only tools of the relay are journaled');
    if (call.mcp.length > 0) refuse('mcp', 'only tools of the relay are journaled; wrap the call in one');
  })
  .transform(({ userMessage, messages: list, ...call }) => ({ ...call, messages: list ?? [userMessage ?? ''] }));
export type AgentCall = z.infer<typeof agentCall>;

const mcpCall = z.strictObject({
  server: z.string().min(1),
  tool: z.string().min(1),
  arguments: jsonObject.nullish().transform((given) => given ?? {}),
  replaySafe: z.boolean().nullish(),
});
export type McpCall = z.infer<typeof mcpCall>;

/** Parses an agent call. Throws `invalid-input` naming key, value and what was expected. */
export function parseAgentCall(input: Json): AgentCall {
  return parse('agent', agentCall, input);
}

/** Parses an MCP call. Throws as `parseAgentCall`. */
export function parseMcpCall(input: Json): McpCall {
  return parse('mcp', mcpCall, input);
}

function parse<T>(what: string, shape: z.ZodType<T>, input: Json): T {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, input);
  throw new LabError('invalid-input', `the call ${what}(…) cannot be used: ${issues.join('; ')}`, '', { issues });
}
