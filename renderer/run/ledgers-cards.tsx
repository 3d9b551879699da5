import { operationMarks } from '../design/marks.ts';
import { clockTime, shortId } from '../design/words.ts';
import { shownState } from '../history/operation-rows.ts';
import { counted } from '../ledgers/counted.ts';
import type { JoinedOperation } from '../ledgers/join-ledgers.ts';
import type { PlacedHole, PlacedKey, PlacedOperation } from '../ledgers/place-ledgers.ts';
import { select, useView } from '../store/view-store.ts';

const verdictLooks: Readonly<Record<JoinedOperation['verdict']['kind'], string>> = {
  none: 'text-quiet',
  once: 'text-done',
  repeated: 'text-reused',
  refused: 'text-quiet',
  ahead: 'text-open',
  unknown: 'text-uncertain',
  doubled: 'text-failed',
  lost: 'text-failed',
};

const lineLooks = {
  done: 'text-done',
  reused: 'text-reused',
  open: 'text-open',
  failed: 'text-failed',
  kill: 'text-kill',
  uncertain: 'text-uncertain',
  quiet: 'text-quiet',
} as const;

const card = 'absolute inset-x-0 overflow-hidden rounded-md border bg-panel';

interface LineProps {
  readonly sign: string;
  readonly look: keyof typeof lineLooks;
  readonly words: string;
  readonly at: number | null;
}

function Line({ sign, look, words, at }: LineProps) {
  return (
    <li className={`flex h-5 items-center gap-2 px-3 text-xs ${lineLooks[look]}`}>
      <span aria-hidden="true" className="w-3 shrink-0 text-center">
        {sign}
      </span>
      <span className="min-w-0 flex-1 truncate" title={words}>
        {words}
      </span>
      {at !== null && <time className="shrink-0 font-mono text-[11px] text-quiet tabular-nums">{clockTime(at)}</time>}
    </li>
  );
}

/** What the program believes of one operation. */
export function OperationCard({ placed }: { readonly placed: PlacedOperation }) {
  const { row, lines, top, height } = placed;
  const { operation, verdict, bodies, requests, effects } = row;
  const isSelected = useView((view) => view.operation === operation.id);
  const state = shownState(operation, new Set(row.isUncertain ? [operation.id] : []));
  const { sign, colour, words } = operationMarks[state];
  const counts = [counted(bodies.length, 'body', 'bodies')];
  if (verdict.kind === 'none') counts.push('no request');
  else counts.push(counted(requests, 'request'), counted(effects, 'effect'));
  return (
    <li className={`${card} ${isSelected ? 'border-accent' : 'border-line'}`} style={{ top, height }}>
      <div className="flex h-[30px] items-center gap-2 px-3">
        <button
          type="button"
          onClick={() => select(operation.id)}
          aria-pressed={isSelected}
          className="flex min-w-0 items-center gap-2 rounded-sm text-left font-medium after:absolute after:inset-0"
        >
          <span aria-hidden="true" className={`w-3 shrink-0 text-center ${colour}`}>
            {sign}
          </span>
          <span className="shrink-0 font-mono text-quiet">{operation.id}</span>
          <span className="truncate">{operation.name}</span>
          <span className="sr-only">, {words}</span>
        </button>
        <span className="shrink-0 text-xs text-quiet">{operation.kind}</span>
        <span className="ml-auto truncate text-xs text-quiet tabular-nums">{counts.join(' · ')}</span>
      </div>
      <ol aria-label={`ledger of ${operation.name}`}>
        {lines.map((line, place) => (
          <Line key={place} {...line} />
        ))}
      </ol>
      {verdict.words !== '' && (
        <p
          className={`mt-1 flex h-6 items-center border-t border-line px-3 text-xs font-medium ${verdictLooks[verdict.kind]}`}
        >
          <span className="truncate" title={verdict.words}>
            {verdict.words}
          </span>
        </p>
      )}
    </li>
  );
}

/** What one service saw under one key. */
export function KeyCard({ placed, run }: { readonly placed: PlacedKey; readonly run: string }) {
  const { use, owner, lines, top, height } = placed;
  return (
    <li className={`${card} ${owner === null ? 'border-failed/60' : 'border-line'}`} style={{ top, height }}>
      <div className="flex h-[30px] items-center gap-2 px-3">
        <span className="shrink-0 font-medium">{use.service}</span>
        <code
          className="min-w-0 flex-1 truncate font-mono text-[11px] text-quiet"
          title={use.reference === null ? 'no key' : `idempotency key ${use.reference}`}
        >
          {use.reference === null ? 'no key' : `key ${use.reference.replace(run, shortId(run))}`}
        </code>
        <span className="shrink-0 text-xs text-quiet">{counted(use.effects, 'effect')}</span>
        <span className="sr-only">
          {owner === null ? ', of no operation' : `, of operation ${owner.operation.id} ${owner.operation.name}`}
        </span>
      </div>
      <ol aria-label={`requests at ${use.service}`}>
        {lines.map((line, place) => (
          <Line key={place} {...line} />
        ))}
      </ol>
      {owner === null && (
        <p className="mt-1 flex h-6 items-center border-t border-line px-3 text-xs font-medium text-failed">
          no operation of this run accounts for it
        </p>
      )}
    </li>
  );
}

/** Where a service has nothing of what the program believes done. */
export function HoleCard({ hole }: { readonly hole: PlacedHole }) {
  const { service, owner, top, height } = hole;
  return (
    <li className={`${card} border-dashed border-failed text-failed`} style={{ top, height }}>
      <div className="flex h-[30px] items-center px-3 font-medium">{service}</div>
      <ol>
        <Line
          sign="✕"
          look="failed"
          words={`no request of operation ${owner.operation.id} (a mere question would leave none either)`}
          at={null}
        />
      </ol>
    </li>
  );
}
