import { LabError, type Json, type OperationId } from '../core/index.ts';
import { identify } from './identity.ts';
import { operateHosted } from './operation.ts';
import { currentScope } from './scope.ts';

/** An agent or MCP call: one operation, carried out by the host, one at a time in the run. */
export async function platformCall(
  kind: 'agent' | 'mcp',
  name: string,
  input: Json,
  replaySafe: boolean,
  onBegun?: (id: OperationId) => () => void,
): Promise<unknown> {
  const scope = currentScope();
  if (scope?.kind === 'tool') {
    throw new LabError(
      'wrong-state',
      `${kind} "${name}" was called inside the callback of a tool of operation ${scope.operation ?? ''}`,
      'Call it in the workflow or in a step, or give the agent the MCP server itself.',
    );
  }
  return operateHosted({
    kind,
    name,
    arguments: identify(JSON.stringify({ json: input })),
    repeatable: replaySafe,
    input,
    queued: true,
    endsOnCancel: false,
    ...(onBegun === undefined ? {} : { onBegun }),
  });
}
