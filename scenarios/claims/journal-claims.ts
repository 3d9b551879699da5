import type { Receipt } from '../../runtime/contract/index.ts';
import { says, times, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** How often a tool's `recover` callback was asked in each attempt that asked it, by its receipts. */
export function recoverAsked(tool: string, text: string): Claim<RunFacts> {
  return says(`recover of ${tool}`, text, ({ operations, receipts }) => {
    if (!operations.some(({ kind, name }) => kind === 'tool' && name === tool)) return `${tool} was never called`;
    const asked = Map.groupBy(
      receipts.filter((receipt) => receipt.name === `${tool} (recover)` && purposeOf(receipt) === 'recover'),
      ({ attempt }) => attempt,
    );
    if (asked.size === 0) return 'never asked';
    return [...asked]
      .map(([attempt, all]) => {
        const answered = all.every(({ ok }) => ok) ? 'and it answered' : 'and it could not tell';
        return `asked ${times(all.length)} in attempt ${attempt}, ${answered}`;
      })
      .join('; ');
  });
}

/** The order in which the last attempt settled what was pending and went on with its agent, by events of both. */
export function settledFirst(tool: string, agent: string): Claim<RunFacts> {
  const text = `${tool} settled, then ${agent} started anew and was answered from the journal`;
  return says('order', text, ({ operations, attempts, events }) => {
    const last = attempts.at(-1)?.number;
    const call = operations.find(({ kind, name }) => kind === 'tool' && name === tool)?.id;
    const of = (type: string): number =>
      events.findIndex((event) => event.type === type && event.attempt === last && event.operation === call);
    const [settled, answered] = [of('operation.checkpointed'), of('operation.reused')];
    if (settled === -1) return `${tool} was not settled in attempt ${last}`;
    if (answered === -1) return `${tool} was settled, and ${agent} never asked for it`;
    return settled < answered ? text : `${agent} asked for ${tool} before that was settled`;
  });
}

function purposeOf({ kind, data }: Receipt): unknown {
  const isObject = kind === 'tool' && typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject ? (data as Readonly<Record<string, unknown>>)['purpose'] : undefined;
}
