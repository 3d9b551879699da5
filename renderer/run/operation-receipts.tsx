import type { Receipt } from '../../runtime/contract/index.ts';
import { clockTime, duration } from '../design/words.ts';
import { Part } from './inspector-parts.tsx';
import { JsonText } from './json-text.tsx';

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : null;
}

function textIn(value: unknown, key: string): string | null {
  const found = memberOf(value, key);
  return typeof found === 'string' ? found : null;
}

/** Why it was decided so, what went wrong, or what the record is. Null when its data says it all. */
function reasonOf({ kind, data }: Receipt): string | null {
  if (kind === 'late-answer') return 'It came when the process was gone already: the relay has not got this answer.';
  const reason = textIn(data, 'reason');
  if (reason !== null) return reason;
  return textIn(memberOf(data, 'error'), 'message');
}

/** The records of the platform calls that belong to the operation. */
export function OperationReceipts({ receipts }: { readonly receipts: readonly Receipt[] }) {
  return (
    <Part title={`Receipts (${receipts.length})`}>
      <ul className="flex flex-col gap-0.5">
        {receipts.map((receipt) => (
          <li key={receipt.id}>
            <details>
              <summary className="flex cursor-default items-baseline gap-1.5 rounded hover:bg-raised">
                <span aria-hidden="true" className={receipt.ok ? 'text-done' : 'text-failed'}>
                  {receipt.ok ? '✓' : '✗'}
                </span>
                <span className="sr-only">{receipt.ok ? 'went well' : 'failed'}: </span>
                <span className="text-quiet">{receipt.kind}</span>
                <span className="min-w-0 flex-1 truncate">{receipt.name}</span>
                <span className="text-[12px] text-quiet tabular-nums">
                  {receipt.attempt !== null && `attempt ${receipt.attempt} · `}
                  {receipt.durationMs === null ? clockTime(receipt.at) : duration(receipt.durationMs)}
                </span>
              </summary>
              <div className="py-1">
                {reasonOf(receipt) !== null && <p className="mb-1 [overflow-wrap:anywhere]">{reasonOf(receipt)}</p>}
                <JsonText value={JSON.stringify(receipt.data)} label={`data of receipt ${receipt.id}`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Part>
  );
}
