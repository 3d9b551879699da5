import { agent, type AgentOptions } from './agent.ts';
import { identify } from './identity.ts';
import { mcp, type McpOptions } from './mcp.ts';
import { operate } from './operation.ts';
import { currentScope } from './scope.ts';
import { runOnce } from './step.ts';
import { variables, vault } from './surroundings.ts';
import { encode } from './values.ts';

export interface LegacyStepOptions<Arguments> {
  /** Recorded, and given to the function. */
  arguments?: Arguments;
  /** The author's word that the function may run again with the same arguments. */
  replaySafe?: boolean;
}

/** The second argument of a program `run(input, ctx)`. */
export interface LegacyContext {
  callAgent<Answer = string>(options: AgentOptions): Promise<Answer>;
  callMcp<Result = Record<string, unknown>>(options: McpOptions): Promise<Result>;
  /** A checkpointed operation. Interrupted before its checkpoint it is uncertain, unless it is `replaySafe`. */
  step<Result, Arguments = undefined>(
    name: string,
    body: (args: Arguments) => Result | Promise<Result>,
    options?: LegacyStepOptions<Arguments>,
  ): Promise<Result>;
  vault(name: string): Promise<string>;
  readonly variables: Readonly<Record<string, string>>;
}

/** Fixed once `variables` are: made when the program starts. */
export function legacyContext(): LegacyContext {
  return Object.freeze({ callAgent: agent, callMcp: mcp, step, vault, variables });
}

async function step<Result, Arguments>(
  name: string,
  body: (args: Arguments) => Result | Promise<Result>,
  options: LegacyStepOptions<Arguments> = {},
): Promise<Result> {
  const { arguments: args, replaySafe = false } = options;
  const call = (): Result | Promise<Result> => body(args as Arguments);
  if (currentScope()?.kind !== 'workflow') return call();
  const result = await operate({
    kind: 'step',
    name,
    arguments: args === undefined ? null : identify(encode(args, 'arguments')),
    repeatable: replaySafe,
    wait: true,
    body: (standing) => runOnce(name, {}, standing, call),
  });
  return result as Result;
}
