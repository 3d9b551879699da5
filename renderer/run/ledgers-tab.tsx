import { useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { EventType } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { counted } from '../ledgers/counted.ts';
import { joinLedgers } from '../ledgers/join-ledgers.ts';
import { placeLedgers } from '../ledgers/place-ledgers.ts';
import { sayTotals, sumLedgers, type LedgerTotals } from '../ledgers/sum-ledgers.ts';
import { useLab } from '../store/lab-store.ts';
import { useLiveAnswer } from '../store/live-answer.ts';
import { useOpenRun } from '../store/open-run.ts';
import { LedgersPicture } from './ledgers-picture.tsx';
import { useUncertain } from './uncertain-operations.ts';

/** Events after which a service may have seen more, or the program may believe more. */
const turns: ReadonlySet<EventType> = new Set([
  ...(['operation.intended', 'operation.checkpointed', 'operation.decided', 'operation.try', 'receipt.added'] as const),
  ...(['crash-point.fired', 'attempt.ended', 'run.moved'] as const),
]);

/** Above this many operations only those that reached a service are drawn at first. */
const fewOperations = 40;
const drawnAtOnce = 200;

/** What the program believes beside what the services saw, joined by key and operation. */
export function LedgersTab({ run }: { readonly run: string }) {
  const history = useOpenRun((open) => open.history);
  const openError = useOpenRun((open) => open.error);
  const records = useLiveAnswer('run/service-records', { run }, turns);
  const receipts = useLiveAnswer('run/receipts', { run, operation: null }, turns);
  const uncertain = useUncertain(({ ids }) => ids);
  const services = useLab(useShallow(({ status }) => (status?.services ?? []).map(({ name }) => name)));
  const isOver = useLab(({ runs }) => restStates.has(runs[run]?.state ?? ''));
  const [wantsAll, setWantsAll] = useState<boolean | null>(null);
  const [drawn, setDrawn] = useState(drawnAtOnce);

  const joined = useMemo(
    () =>
      joinLedgers({
        ...{ run, uncertain, services, operations: history.operations },
        ...{ receipts: receipts.answer ?? [], records: records.answer ?? [] },
      }),
    [run, uncertain, services, history.operations, receipts.answer, records.answer],
  );
  const totals = useMemo(() => sumLedgers(joined), [joined]);
  const showsAll = wantsAll ?? joined.operations.length <= fewOperations;
  const rows = useMemo(
    () => (showsAll ? joined.operations : joined.operations.filter(({ verdict }) => verdict.kind !== 'none')),
    [joined, showsAll],
  );
  const placed = useMemo(
    () => placeLedgers({ operations: rows.slice(0, drawn), unowned: joined.unowned }, history.attempts),
    [rows, drawn, joined.unowned, history.attempts],
  );

  const error = records.error ?? receipts.error ?? (history.lastSequence === 0 ? openError : null);
  if (error !== null && records.answer === null) {
    return <ErrorView error={error} retry={() => [records, receipts].forEach((one) => one.retry())} />;
  }
  if (records.answer === null || receipts.answer === null || history.run !== run)
    return <Loading what="both ledgers" />;
  if (joined.operations.length === 0 && joined.unowned.length === 0) {
    return (
      <Empty title="Both ledgers are empty">
        <p>No operation of this run has begun, and no service has seen a request of it.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Two ledgers" className="flex h-full flex-col bg-page">
      <VerdictLine totals={totals} words={sayTotals(totals, joined, isOver)} />
      {error !== null && <ErrorView error={error} />}
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={-1}>
        <LedgersPicture run={run} placed={placed} totals={totals} />
        <p className="flex items-center gap-3 px-4 pb-4 text-xs text-quiet">
          {joined.operations.length > fewOperations && (
            <Button onClick={() => setWantsAll(!showsAll)}>
              {showsAll ? 'Only operations that reached a service' : `All ${joined.operations.length} operations`}
            </Button>
          )}
          {rows.length > drawn && (
            <>
              {counted(rows.length - drawn, 'operation')} not drawn
              <Button onClick={() => setDrawn(drawn + drawnAtOnce)}>
                Draw {Math.min(drawnAtOnce, rows.length - drawn)} more
              </Button>
            </>
          )}
        </p>
      </div>
    </section>
  );
}

const restStates: ReadonlySet<string> = new Set([
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'needs_reconciliation',
]);

function VerdictLine({ totals, words }: { readonly totals: LedgerTotals; readonly words: string }) {
  const count = (value: number, word: string) => (
    <span className={value > 0 ? 'text-failed' : 'text-done'}>
      {value} {word}
    </span>
  );
  return (
    <p role="status" className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line bg-panel px-4 py-2">
      <strong className="text-lg font-semibold tabular-nums">
        {count(totals.lost, 'lost')} <span className="text-quiet">·</span> {count(totals.doubled, 'doubled')}
      </strong>
      <span>{words}</span>
    </p>
  );
}
