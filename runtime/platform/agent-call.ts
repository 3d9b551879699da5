import type { AgentCall } from '../contract/index.ts';
import { asLabError, LabError, type Json, type JsonObject } from '../core/index.ts';
import { gatherTools, type AgentTool, type ToolResult } from './agent-tools.ts';
import { openFixture } from './fixture-provider.ts';
import { checkResultSize, forReceipt } from './json-bounds.ts';
import type { McpConnections } from './mcp-connections.ts';
import { throwIfStopped, type PlatformCall } from './platform-call.ts';
import { writeTranscript, type TranscriptEntry } from './transcript.ts';

/** Compiles a JSON Schema named `what`; the check gives one phrase a violation. Throws for a schema of no use. */
export type CompileSchema = (schema: JsonObject | boolean, what: string) => Promise<(value: Json) => string[]>;

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the model does next: it calls tools, or ends its answer to the user's message. */
export type Turn = { readonly toolCalls: readonly ToolCall[] } | { readonly text: string };

/** Who plays the model. `results` are those of the tools that its last turn called. */
export interface Provider {
  readonly name: string;
  nextTurn(message: string, results: readonly (ToolCall & { readonly result: ToolResult })[]): Turn;
}

interface AgentParts {
  readonly connections: McpConnections;
  readonly compileSchema: CompileSchema;
}

/**
 * Carries an agent out and gives its last answer: the text, or with `outputSchema` the JSON value that meets it. Leaves
 * a receipt, one for each tool call, and the transcript in the run's folder, whatever came of it.
 */
export async function performAgent(call: PlatformCall, asked: AgentCall, parts: AgentParts): Promise<Json> {
  const begun = performance.now();
  const entries: TranscriptEntry[] = [];
  const about = { model: asked.model, messages: asked.messages.length };
  const finish = async (ok: boolean, outcome: { output: Json } | { error: Json }): Promise<void> => {
    const transcript = await writeTranscript(call, asked, entries, outcome);
    const turns = entries.filter((entry) => entry.role === 'assistant').length;
    const data = {
      ...about,
      turns,
      transcript,
      ...('output' in outcome ? { output: forReceipt(outcome.output) } : outcome),
    };
    await call.receipt({ kind: 'agent', name: asked.name, ok, durationMs: performance.now() - begun, data });
  };
  try {
    const output = checkResultSize(`the agent ${asked.name}`, await answerAll(call, asked, parts, entries));
    await finish(true, { output });
    return output;
  } catch (error) {
    const failure = asLabError(error);
    await finish(false, { error: { code: failure.code, message: failure.message } });
    throw failure;
  }
}

async function answerAll(
  call: PlatformCall,
  asked: AgentCall,
  parts: AgentParts,
  entries: TranscriptEntry[],
): Promise<Json> {
  checkSkills(call, asked);
  const check =
    asked.outputSchema === null
      ? null
      : await parts.compileSchema(asked.outputSchema, `the outputSchema of agent ${asked.name}`);
  const tools = await gatherTools(call, asked, parts);
  const provider = await openFixture(call.release.folder, asked.name);
  let text = '';
  for (const message of asked.messages) {
    entries.push({ role: 'user', text: message });
    text = await answer(call, asked, { message, tools, provider, entries });
  }
  return check === null ? text : parseOutput(asked.name, text, check);
}

function checkSkills(call: PlatformCall, asked: AgentCall): void {
  const { skills } = call.release.manifest;
  const missing = asked.skills.find((skill) => !skills.includes(skill));
  if (missing !== undefined) {
    const known = skills.length === 0 ? 'none' : skills.join(', ');
    throw new LabError('invalid-input', `agent ${asked.name} asks for the skill ${missing}; relay.json lists ${known}`);
  }
}

/** The answer to one user message: at most `maxTurns` turns, with the tools that they call. */
async function answer(
  call: PlatformCall,
  asked: AgentCall,
  talk: { message: string; tools: ReadonlyMap<string, AgentTool>; provider: Provider; entries: TranscriptEntry[] },
): Promise<string> {
  const { message, tools, provider, entries } = talk;
  let results: (ToolCall & { result: ToolResult })[] = [];
  for (let turns = 0; turns < asked.maxTurns; turns += 1) {
    // The first turn follows on the check with which the call began.
    if (entries.some(({ role }) => role === 'assistant')) await call.admit(`a further turn of agent ${asked.name}`);
    throwIfStopped(`the agent ${asked.name}`, call.signal);
    const turn = provider.nextTurn(message, results);
    entries.push({ role: 'assistant', ...turn });
    if ('text' in turn) return turn.text;
    results = [];
    for (const toolCall of turn.toolCalls) {
      throwIfStopped(`the agent ${asked.name}`, call.signal);
      const result = await callTool(call, asked, tools, toolCall);
      entries.push({ role: 'tool', ...toolCall, result });
      results.push({ ...toolCall, result });
    }
  }
  throw new LabError(
    'platform-failed',
    `the agent ${asked.name} did not end its answer within maxTurns = ${asked.maxTurns} turns`,
    'Raise maxTurns (at most 100), or let the agent do less.',
    { agent: asked.name, reason: 'max-turns' },
  );
}

async function callTool(
  call: PlatformCall,
  asked: AgentCall,
  tools: ReadonlyMap<string, AgentTool>,
  { name, arguments: given }: ToolCall,
): Promise<ToolResult> {
  const tool = tools.get(name);
  if (tool === undefined) {
    throw new LabError(
      'platform-failed',
      `the agent ${asked.name} called the tool ${JSON.stringify(name)}, which it does not have: it has ${[...tools.keys()].join(', ') || 'none'}`,
      'Give the agent the tool, or correct the name in its script.',
      { agent: asked.name, reason: 'unknown-tool', tool: name },
    );
  }
  await call.admit(`the tool ${tool.receiptName} of agent ${asked.name}`);
  const begun = performance.now();
  const result = await tool.run(given);
  if (!tool.leavesReceipt) return result;
  await call.receipt({
    kind: tool.kind,
    name: tool.receiptName,
    ok: result.ok,
    durationMs: performance.now() - begun,
    data: {
      agent: asked.name,
      arguments: forReceipt(given),
      ...(result.ok
        ? { result: forReceipt(result.value) }
        : { error: { name: result.error.name, message: result.error.message } }),
    },
  });
  return result;
}

function parseOutput(agent: string, text: string, check: (value: Json) => string[]): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new LabError(
      'platform-failed',
      `the agent ${agent} has an outputSchema, but its last message is not JSON: ${JSON.stringify(text.slice(0, 200))}`,
      '',
      { agent, reason: 'output-not-json', output: text.slice(0, 2000) },
    );
  }
  const violations = check(value);
  if (violations.length === 0) return value;
  throw new LabError(
    'platform-failed',
    `the last message of agent ${agent} does not meet its outputSchema: ${violations.slice(0, 10).join('; ')}`,
    '',
    { agent, reason: 'output-schema', violations, output: forReceipt(value) },
  );
}
