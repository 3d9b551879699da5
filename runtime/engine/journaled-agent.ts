import { parseAgentCall, type FromChild } from '../contract/index.ts';
import { asLabError, type OperationId } from '../core/index.ts';
import type { JournaledAgent } from './tool-journal.ts';

/**
 * The agent of a call that asks for `recovery: "restart"`; null for any other, and for one that cannot be used: the
 * platform refuses that with what is wrong, and none of its tools will be called.
 */
export function journaledAgent(
  frame: Pick<Extract<FromChild, { tag: 'perform' }>, 'kind' | 'input'> & { readonly id: OperationId },
): JournaledAgent | null {
  if (frame.kind !== 'agent') return null;
  try {
    const { name, recovery, tools } = parseAgentCall(frame.input);
    if (recovery !== 'restart') return null;
    return { id: frame.id, name, tools: new Map(tools.map((tool) => [tool.name, tool.recover])) };
  } catch (thrown) {
    if (asLabError(thrown).code !== 'invalid-input') throw thrown;
    return null;
  }
}
