import type { LabEvent, RunDetail } from '../runtime/contract/index.ts';
import { describeEnd } from '../runtime/core/index.ts';
import { printable, type Paint } from './output.ts';
import { shortened } from './table.ts';

/** How far an operation came in one attempt. */
type Mark = 'intended' | 'checkpointed' | 'reused';

const signs = { intended: '◌', checkpointed: '◆', reused: '◇' } as const satisfies Record<Mark, string>;

/**
 * A run as text, a line for each attempt: its operations in the order in which it came to them (◆ done here, ◇ reused
 * from its checkpoint, ◌ begun and not completed), and ⚡ where its process was killed.
 */
export function timeline(detail: RunDetail, events: readonly LabEvent[], paint: Paint): string[] {
  const names = new Map(detail.operations.map(({ id, name }) => [id, shortened(printable(name), 24)]));
  return detail.attempts.map((attempt) => {
    const marks = new Map<string, Mark>();
    for (const event of events) {
      if (event.attempt !== attempt.number || event.operation === null) continue;
      if (event.type === 'operation.intended') marks.set(event.operation, 'intended');
      if (event.type === 'operation.checkpointed') marks.set(event.operation, 'checkpointed');
      if (event.type === 'operation.reused') marks.set(event.operation, 'reused');
    }
    const steps = [...marks].map(([id, mark]) => {
      const text = `${signs[mark]} ${names.get(id as never) ?? id}`;
      return mark === 'checkpointed'
        ? paint('green', text)
        : mark === 'reused'
          ? paint('dim', text)
          : paint('yellow', text);
    });
    const { cause, process } = attempt;
    const end =
      cause === null
        ? ''
        : cause.kind === 'finished'
          ? paint('green', '● finished')
          : paint('red', `⚡ ${printable(describeEnd(cause))}`);
    return `attempt ${attempt.number}  pid ${process?.pid ?? '-'}  ${[...steps, end].filter((part) => part !== '').join(' ─ ')}`;
  });
}
