import type { JsonObject } from '../core/index.ts';
import { checkKeys, checkTexts, refuse } from './call-check.ts';
import { platformCall } from './platform-call.ts';
import { namePattern, nameRule, type Tool } from './tool.ts';
import { offerTools } from './tool-calls.ts';
import { toJson } from './values.ts';

export interface AgentServer {
  /** As named in `relay.json`. */
  server: string;
  /** All that the server has when left out. */
  tools?: string[];
}

export interface AgentOptions {
  /** Names the operation. */
  name: string;
  systemPrompt: string;
  /** Either this or `messages`. */
  userMessage?: string;
  /** 1 to 100 messages, answered one after the other. */
  messages?: string[];
  model?: string;
  tools?: Tool[];
  skills?: string[];
  mcp?: AgentServer[];
  /** JSON Schema of the answer, which is then given parsed. */
  outputSchema?: JsonObject;
  /** 1 to 100 for each message; 20 when left out. */
  maxTurns?: number;
  /**
   * An interrupted agent starts anew, and its tools are journaled: a call with the same name and arguments as an earlier
   * one of this agent gives that one's result. A tool that throws ends the agent. Not with `replaySafe`, `skills`, `mcp`.
   */
  recovery?: 'restart';
  /** The author's word that everything this agent can do may be done again. */
  replaySafe?: boolean;
}

const keys = [
  'name',
  'systemPrompt',
  'userMessage',
  'messages',
  'model',
  'tools',
  'skills',
  'mcp',
  'outputSchema',
  'maxTurns',
  'recovery',
  'replaySafe',
];

/**
 * Runs an agent and gives its answer: a text, or with `outputSchema` the parsed value. One operation. Rejects with an
 * AdmissionDeniedError when the run may no longer call it, and with `invalid-input` for options that cannot be used.
 */
export async function agent<Answer = string>(options: AgentOptions): Promise<Answer> {
  checkAgentOptions(options);
  const { name, tools = [], replaySafe = false, ...rest } = options;
  const input = toJson(
    {
      name,
      ...rest,
      tools: tools.map((one) => ({
        name: one.name,
        description: one.description,
        inputSchema: one.schema,
        ...(one.recover === undefined ? {} : { recover: true }),
      })),
    },
    `agent("${name}")`,
  );
  // With a journal the agent itself may start again: what its tools did is not done twice.
  const repeatable = replaySafe || rest.recovery === 'restart';
  return (await platformCall('agent', name, input, repeatable, (id) => offerTools(id, tools))) as Answer;
}

function checkAgentOptions(options: AgentOptions): void {
  checkKeys('agent', options, keys);
  const { name, systemPrompt, userMessage, messages, tools = [], maxTurns = 20 } = options;
  if (typeof name !== 'string' || !namePattern.test(name)) refuse('agent', `name is ${JSON.stringify(name)}`, nameRule);
  const call = `agent("${name}")`;
  if (typeof systemPrompt !== 'string') refuse(call, `systemPrompt is ${typeof systemPrompt}`, 'a text');
  if ((userMessage === undefined) === (messages === undefined)) {
    refuse(
      call,
      userMessage === undefined ? 'there is no message' : 'both are given',
      'either userMessage or messages',
    );
  }
  checkTexts(call, messages === undefined ? 'userMessage' : 'messages', messages ?? [userMessage], 1, 100);
  if (!Number.isInteger(maxTurns) || maxTurns < 1 || maxTurns > 100)
    refuse(call, `maxTurns is ${maxTurns}`, '1 to 100');
  const names = tools.map((one) => one.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) refuse(call, `two tools are named "${twice}"`, 'a name for each');
  checkRecovery(call, options);
}

/** The journal guards tools whose functions are the relay's: nothing else that acts goes with it. */
function checkRecovery(call: string, { recovery, replaySafe, skills = [], mcp = [] }: AgentOptions): void {
  if (recovery === undefined) return;
  if ((recovery as unknown) !== 'restart') refuse(call, `recovery is ${JSON.stringify(recovery)}`, '"restart"');
  if (replaySafe === true) refuse(call, 'recovery and replaySafe are both given', 'one of them');
  if (skills.length > 0) refuse(call, 'skills are given with recovery: "restart"', 'tools alone');
  if (mcp.length > 0)
    refuse(call, 'mcp is given with recovery: "restart"', 'tools alone; a tool cannot call mcp either');
}
