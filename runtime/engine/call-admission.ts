import type { FromChild } from '../contract/index.ts';
import type { AttemptContext } from './attempt-context.ts';
import { checkAdmission } from './platform-admission.ts';

type Perform = Extract<FromChild, { tag: 'perform' }>;

/**
 * The live check before the next part of a call that was admitted when it began: `what` it is, for the receipt. The
 * whole check each time, permissions and every byte of the release. Rejects with the refusal, whose receipt is durable
 * then; nobody waits for the receipt of a grant.
 */
export async function admitWithin(
  context: AttemptContext,
  { id, kind, input }: Pick<Perform, 'id' | 'kind' | 'input'>,
  what: string,
): Promise<void> {
  if (context.isOver()) return;
  const { parts, run } = context;
  const check = await checkAdmission(parts, run, {
    name: what,
    attempt: run.attempts,
    operation: id,
    connections: kind === 'agent' || kind === 'mcp' ? parts.platform.connections(kind, input) : [],
  });
  if (context.isOver()) return;
  if (check.refusal === null) {
    context.keep([check.receipt]);
    return;
  }
  await context.commit([check.receipt]);
  throw check.refusal;
}
