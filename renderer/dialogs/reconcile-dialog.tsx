import { useState } from 'react';
import type { OperationDetail, OperationId, Run, Takes } from '../../runtime/contract/index.ts';
import { useAnswer } from '../design/answer.ts';
import { Button } from '../design/button.tsx';
import { Choice, Field, TextInput } from '../design/field.tsx';
import { runMarks } from '../design/marks.ts';
import { ErrorView, Loading } from '../design/states.tsx';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { openDialog, useView } from '../store/view-store.ts';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { jsonProblem, JsonField } from './json-field.tsx';
import { ReconcileEvidence } from './reconcile-evidence.tsx';
import { LateAnswer } from './reconcile-late.tsx';
import { useSending } from './sending.ts';

type Decision = Takes<'run/reconcile'>['decision'];

interface ReconcileDialogProps {
  readonly run: string;
  readonly operation: string;
}

/** A person decides an operation of which nobody knows whether it took effect. */
export function ReconcileDialog({ run: id, operation }: ReconcileDialogProps) {
  const detail = useAnswer('run/operation', { run: id, operation: operation as OperationId });
  const shown = useAnswer('run/show', { run: id });
  const again = (): void => {
    detail.again();
    shown.again();
  };
  const error = detail.error ?? shown.error;
  if (detail.value !== null && shown.value !== null && error === null) {
    return <ReconcileForm detail={detail.value} run={shown.value.run} again={again} />;
  }
  return (
    <DialogFrame title="Reconcile" actions={<LeaveButton />}>
      {error === null ? <Loading what="the operation" /> : <ErrorView error={error} retry={again} />}
    </DialogFrame>
  );
}

interface ReconcileFormProps {
  readonly detail: OperationDetail;
  /** The run as it was when its evidence was read: the decision is made on this revision. */
  readonly run: Run;
  readonly again: () => void;
}

function ReconcileForm({ detail, run, again }: ReconcileFormProps) {
  const { operation } = detail;
  const person = useLab(({ info }) => info?.person ?? '');
  const [kind, setKind] = useState<Decision['kind'] | null>(null);
  const [result, setResult] = useState('null');
  const [message, setMessage] = useState('');
  const { isSending, error, send, forget } = useSending();
  const decision = decisionOf(kind, result, message);
  const isOld = error?.code === 'conflict';
  const isOpen = run.state === 'needs_reconciliation' && operation.uncertain;
  const decide = (): void =>
    send(async () => {
      if (decision === null) return;
      const crashPlan = [...(useView.getState().plans[run.id] ?? [])];
      const { id, revision } = run;
      await lab.call('run/reconcile', { run: id, revision, operation: operation.id, decision, by: person, crashPlan });
      useView.setState(({ plans: { [id]: _, ...rest } }) => ({ plans: rest }));
      openDialog(null);
    });
  return (
    <DialogFrame
      title={`Reconcile operation ${operation.id} · ${operation.name}`}
      description="Its process died after it had begun and before its result was recorded. Nobody knows whether it took effect, and its author did not promise that repeating it is harmless."
      isWide
      isForm
      actions={
        <>
          <p className="mr-auto text-[12px] text-quiet">
            Decided by <b className="font-medium text-ink">{person}</b> on revision {run.revision}; it is recorded with
            the time.
          </p>
          <LeaveButton>Decide later</LeaveButton>
          <Button
            look={kind === 'fail' ? 'danger' : 'primary'}
            disabled={isSending || decision === null || isOld || !isOpen}
            onClick={decide}
          >
            {kind === null ? 'Decide' : deeds[kind]}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {!isOpen && (
          <p role="alert" className="rounded border border-waiting/50 bg-waiting/10 p-2.5">
            Operation {operation.id} waits for no decision any more: the run is {runMarks[run.state].words} at revision{' '}
            {run.revision}.
          </p>
        )}
        <ReconcileEvidence detail={detail} run={run.id} />
        <LateAnswer
          detail={detail}
          onAccept={(text) => {
            setKind('accept');
            setResult(text);
          }}
        />
        <Choice
          label="Your decision"
          value={kind}
          onChange={setKind}
          options={[
            {
              value: 'accept',
              title: 'It took effect: accept a result',
              hint: 'The relay gets the result that you give as if the operation had returned it; its body does not run again.',
            },
            {
              value: 'again',
              title: 'It took no effect: run it again',
              hint: 'Its body runs once more in the next attempt; if it did take effect after all, that effect is doubled.',
            },
            {
              value: 'fail',
              title: 'Fail the run',
              hint: 'The run ends as failed with your message and is never recovered; it can be forked.',
            },
          ]}
        />
        {kind === 'accept' && (
          <JsonField
            label="Result that the relay gets"
            value={result}
            schema={null}
            problems={[jsonProblem(result) ?? []].flat()}
            onChange={setResult}
          />
        )}
        {kind === 'fail' && (
          <Field label="Message" hint="It stands in the run’s error, with your name.">
            {(ids) => <TextInput {...ids} value={message} onChange={({ target }) => setMessage(target.value)} />}
          </Field>
        )}
        {error !== null && <ErrorView error={error} />}
        {isOld && (
          <div className="flex items-center gap-3">
            <p className="flex-1">
              The run has moved since you looked at it. Look at it as it stands now, then decide.
            </p>
            <Button
              look="primary"
              onClick={() => {
                forget();
                again();
              }}
            >
              Look again
            </Button>
          </div>
        )}
      </div>
    </DialogFrame>
  );
}

const deeds = { accept: 'Accept the result', again: 'Run it again', fail: 'Fail the run' };

/** Null while something is missing or is no JSON. */
function decisionOf(kind: Decision['kind'] | null, result: string, message: string): Decision | null {
  if (kind === 'again') return { kind };
  if (kind === 'fail') return message.trim() === '' ? null : { kind, message: message.trim() };
  if (kind === null || jsonProblem(result) !== null) return null;
  return { kind, value: JSON.parse(result) as Extract<Decision, { kind: 'accept' }>['value'] };
}
