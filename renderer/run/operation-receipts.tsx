import type { Receipt } from '../../runtime/contract/index.ts';
import { clockTime, duration } from '../design/words.ts';
import { Part } from './inspector-parts.tsx';
import { JsonText } from './json-text.tsx';

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
                <JsonText value={JSON.stringify(receipt.data)} label={`data of receipt ${receipt.id}`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Part>
  );
}
