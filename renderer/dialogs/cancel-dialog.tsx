import { useState } from 'react';
import { isLive } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Field, TextInput } from '../design/field.tsx';
import { ErrorView } from '../design/states.tsx';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { openDialog } from '../store/view-store.ts';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { useSending } from './sending.ts';

/** Stops a run for good. */
export function CancelDialog({ run: id }: { readonly run: string }) {
  const run = useLab(({ runs }) => runs[id]);
  const [grace, setGrace] = useState('10');
  const { isSending, error, send } = useSending();
  if (run === undefined) return null;
  const seconds = Number(grace);
  const isSound = /^\d+(\.\d+)?$/.test(grace) && seconds <= 3600;
  const hasProcess = isLive(run.state);
  const cancel = (): void =>
    send(async () => {
      const graceMs = hasProcess ? Math.round(seconds * 1000) : null;
      await lab.call('run/cancel', { run: id, revision: run.revision, graceMs });
      openDialog(null);
    });
  return (
    <DialogFrame
      title={`Cancel ${run.relay}`}
      description={`run ${id}`}
      actions={
        <>
          <LeaveButton>Keep it</LeaveButton>
          <Button look="danger" disabled={isSending || (hasProcess && !isSound)} onClick={cancel}>
            Cancel the run
          </Button>
        </>
      }
    >
      <ul className="mb-3 list-disc space-y-1 pl-5">
        <li>A cancelled run is never recovered. Its checkpoints stay: fork it to go on from one of them.</li>
        {hasProcess && <li>What its process is doing is not undone; what is not checkpointed is lost.</li>}
        {run.state === 'needs_reconciliation' && <li>The operation that waits for a decision stays undecided.</li>}
      </ul>
      {hasProcess && (
        <Field
          label="Grace time in seconds"
          hint="It is asked to stop, and killed when it has not after this time."
          problem={isSound ? null : 'expected a number from 0 to 3600'}
        >
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="decimal"
              value={grace}
              aria-invalid={!isSound}
              className="w-28"
              onChange={({ target }) => setGrace(target.value)}
            />
          )}
        </Field>
      )}
      {error !== null && <ErrorView error={error} />}
    </DialogFrame>
  );
}
