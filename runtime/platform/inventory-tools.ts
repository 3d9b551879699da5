import type { AgentCall } from '../contract/index.ts';
import type { Json, JournaledCall } from '../core/index.ts';
import { forReceipt } from './json-bounds.ts';

interface InventoryTool {
  readonly name: string;
  readonly description: string;
  look(this: void): Json;
}

/**
 * What an agent with a journal may do beside calling its tools: read which there are, and what this call of it has done
 * so far, also before a restart. They change nothing, so they are not journaled.
 */
export function inventoryTools(asked: AgentCall, journal: { calls(): readonly JournaledCall[] }): InventoryTool[] {
  return [
    {
      name: 'list_tools',
      description: 'Lists the tools that there are, with the JSON Schema of their arguments.',
      look: () => asked.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    },
    {
      name: 'list_tool_calls',
      description:
        'Lists the tool calls that were made in this task so far, also before an interruption, with their results.',
      look: () =>
        journal.calls().map(({ name, arguments: args, outcome }) => ({
          tool: name,
          arguments: JSON.parse(args) as Json,
          // A call that failed ends the agent: it never sees one.
          done: outcome !== null,
          result: outcome?.ok === true ? forReceipt((JSON.parse(outcome.value) as { json: Json }).json) : null,
        })),
    },
  ];
}
