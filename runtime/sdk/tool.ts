import type { JsonObject } from '../core/index.ts';
import { checkKeys, refuse } from './call-check.ts';

/** A function of the relay that an agent may call. Made by `tool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject | boolean;
  readonly run: (args: never) => unknown;
  /** Finds out what a call left that was interrupted; only queries. For `agent(recovery: "restart")`. */
  readonly recover?: (args: never) => unknown;
}

export interface ToolOptions<Arguments> {
  name: string;
  description?: string;
  /** JSON Schema of the arguments; any when left out. */
  schema?: JsonObject | boolean;
  /** Gets the arguments that the agent chose. Its result must be JSON. It must not call `agent` or `mcp`. */
  run: (args: Arguments) => unknown;
  /**
   * For `agent(recovery: "restart")`: gets the arguments of a call that was interrupted and gives the result that the call
   * had given. It only asks a durable record, and throws when that cannot tell.
   */
  recover?: (args: Arguments) => unknown;
}

export const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
export const nameRule = '1 to 64 letters, digits, ".", "_" or "-", led by a letter or digit';

/** Makes a tool for `agent({tools})`. Throws `invalid-input` naming what is wrong. */
export function tool<Arguments = Record<string, unknown>>(options: ToolOptions<Arguments>): Tool {
  const keys = ['name', 'description', 'schema', 'run', 'recover'];
  checkKeys('tool', options, keys);
  const { name, description = '', schema = true, run, recover } = options;
  if (typeof name !== 'string' || !namePattern.test(name)) refuse('tool', `name is ${JSON.stringify(name)}`, nameRule);
  if (typeof run !== 'function') refuse(`tool "${name}"`, `run is ${typeof run}`, 'a function');
  if (recover !== undefined && typeof recover !== 'function')
    refuse(`tool "${name}"`, `recover is ${typeof recover}`, 'a function');
  return Object.freeze({ name, description, schema, run, ...(recover === undefined ? {} : { recover }) });
}
