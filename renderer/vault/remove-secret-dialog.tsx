import { Button } from '../design/button.tsx';
import { ErrorView } from '../design/states.tsx';
import { DialogFrame, LeaveButton } from '../dialogs/dialog-frame.tsx';
import { useSending } from '../dialogs/sending.ts';
import { lab } from '../lab/lab.ts';
import { openDialog } from '../store/view-store.ts';
import { useSecretRows } from './use-secret-rows.ts';

/** Forgets a secret, after saying what is lost. */
export function RemoveSecretDialog({ name }: { readonly name: string }) {
  const askers = useSecretRows()?.find((row) => row.name === name)?.askers ?? [];
  const { isSending, error, send } = useSending();
  const remove = (): void =>
    send(async () => {
      await lab.call('vault/remove', { name });
      openDialog(null);
    });
  return (
    <DialogFrame
      title={`Remove ${name}`}
      actions={
        <>
          <LeaveButton>Keep it</LeaveButton>
          <Button look="danger" disabled={isSending} onClick={remove}>
            Remove the secret
          </Button>
        </>
      }
    >
      <ul className="list-disc space-y-1 pl-5">
        <li>Its value is lost: the lab has no copy of it and cannot show it to you first.</li>
        <li>
          {askers.length === 0
            ? 'No known relay asks for it.'
            : `From now on each use of it fails, also in runs at work, for ${askers.map(({ relay }) => relay).join(', ')}.`}
        </li>
        <li>Permissions on it stay as they are.</li>
      </ul>
      {error !== null && <ErrorView error={error} />}
    </DialogFrame>
  );
}
