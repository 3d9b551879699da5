import { X } from 'lucide-react';
import type { OperationDetail, Run } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { OperationMark } from '../design/state-mark.tsx';
import { ErrorView, Loading } from '../design/states.tsx';
import { clockTime } from '../design/words.ts';
import { shownState } from '../history/operation-rows.ts';
import { recordedArguments } from '../history/read-value.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { openDialog, select } from '../store/view-store.ts';
import { CrashHere } from './crash-here.tsx';
import { Part } from './inspector-parts.tsx';
import { CopyButton, JsonText } from './json-text.tsx';
import { OperationAttempts } from './operation-attempts.tsx';
import { OperationReceipts } from './operation-receipts.tsx';
import { OperationTries } from './operation-tries.tsx';
import { useUncertain } from './uncertain-operations.ts';
import { useOperationDetail } from './use-operation-detail.ts';
import { WireErrorText } from './wire-error-text.tsx';

/** Everything that the ledger has of one operation, and what can be done at it. */
export function InspectedOperation({ run, operation }: { readonly run: Run; readonly operation: OperationHistory }) {
  const { detail, error, retry } = useOperationDetail(run.id, operation);
  const uncertain = useUncertain(({ ids }) => ids);
  const state = shownState(operation, uncertain);
  const canDecide = state === 'uncertain' && run.state === 'needs_reconciliation';
  return (
    <>
      <header className="px-3 py-2">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 text-[14px] font-semibold [overflow-wrap:anywhere]">
            <span className="mr-1.5 font-mono font-normal text-quiet">{operation.id}</span>
            {operation.name}
          </h2>
          <Button look="quiet" className="h-6! px-1!" aria-label="Show the run instead" onClick={() => select(null)}>
            <X size={14} aria-hidden="true" />
          </Button>
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-quiet">
          {operation.kind} · <OperationMark state={state} />
          {detail?.operation.source != null && <code className="font-mono text-[12px]">{detail.operation.source}</code>}
        </p>
        <p className="mt-2 flex flex-wrap gap-1.5">
          {canDecide && (
            <Button
              look="primary"
              onClick={() => openDialog({ kind: 'reconcile', run: run.id, operation: operation.id })}
            >
              Reconcile…
            </Button>
          )}
          <Button onClick={() => openDialog({ kind: 'fork', run: run.id, operation: operation.id })}>
            Fork from here…
          </Button>
        </p>
      </header>
      {error !== null && <ErrorView error={error} retry={retry} />}
      {detail === null && error === null && <Loading what="the operation" />}
      {detail !== null && <Recorded detail={detail} />}
      {operation.decision !== null && (
        <Part title="Decision">
          <p>
            {decisions[operation.decision.decision]}, by {operation.decision.by} at {clockTime(operation.decision.at)}
          </p>
        </Part>
      )}
      <CrashHere run={run} operation={operation} />
      <OperationAttempts operation={operation} />
      {operation.tries.length > 0 && <OperationTries tries={detail?.tries ?? operation.tries} />}
      {detail !== null && detail.receipts.length > 0 && <OperationReceipts receipts={detail.receipts} />}
    </>
  );
}

const decisions = { accept: 'A result was accepted', again: 'To be run again', fail: 'The run was failed' } as const;

function Recorded({ detail: { operation } }: { readonly detail: OperationDetail }) {
  const { kind, outcome, arguments: given } = operation;
  return (
    <>
      <Part title="Arguments" aside={given !== null && <CopyButton text={given} what="the arguments" />}>
        {given === null ? (
          <p className="text-quiet">none recorded</p>
        ) : (
          <JsonText value={recordedArguments(kind, given)} label="arguments" />
        )}
      </Part>
      {outcome === null ? (
        <Part title="Result">
          <p className="text-quiet">no checkpoint: there is no result yet</p>
        </Part>
      ) : outcome.ok ? (
        <Part title="Result" aside={<CopyButton text={outcome.value} what="the result" />}>
          <JsonText value={outcome.value} label="result" />
        </Part>
      ) : (
        <Part title="Error">
          <WireErrorText error={outcome.error} />
        </Part>
      )}
    </>
  );
}
