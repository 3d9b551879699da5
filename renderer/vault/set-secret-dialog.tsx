import { useRef, useState, type ClipboardEvent, type SubmitEvent } from 'react';
import { Button } from '../design/button.tsx';
import { Field, TextInput } from '../design/field.tsx';
import { ErrorView } from '../design/states.tsx';
import { DialogFrame, LeaveButton } from '../dialogs/dialog-frame.tsx';
import { useSending } from '../dialogs/sending.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { notify, openDialog } from '../store/view-store.ts';

const severalLines =
  'What was pasted has several lines, of which this field would lose the ends. Keep it with: recovery-lab vault set NAME < file';

/**
 * Sets or replaces a secret. Its value stands in the field alone, in no state of the page, and is taken out of it
 * before it is sent.
 */
export function SetSecretDialog({ name: given }: { readonly name: string | null }) {
  const words = useLab(({ vault }) => vault?.words ?? '');
  const isSet = useLab(({ vault }) => vault?.secrets.some(({ name }) => name === given) ?? false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { isSending, error, send } = useSending();
  const name = given ?? typed.trim();

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const value = field.current?.value ?? '';
    if (field.current !== null) field.current.value = '';
    setProblem(null);
    send(async () => {
      await lab.call('vault/set', { name, value });
      openDialog(null);
      notify(`${name} is ${isSet ? 'replaced' : 'set'}: its next use gets the new value`);
    });
  };
  const refuseLines = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text').replace(/\r?\n$/, '');
    const hasLines = /[\r\n]/.test(pasted);
    if (hasLines) event.preventDefault();
    setProblem(hasLines ? severalLines : null);
  };

  return (
    <DialogFrame
      title={given === null ? 'Set a secret' : isSet ? `Replace ${given}` : `Set ${given}`}
      description={
        isSet ? 'The value before it is forgotten. Runs at work get the new one with their next use.' : words
      }
      isForm
      actions={
        <>
          <LeaveButton />
          <Button look="primary" type="submit" form="set-secret" disabled={isSending || name === ''}>
            {isSet ? 'Replace it' : 'Set it'}
          </Button>
        </>
      }
    >
      <form id="set-secret" onSubmit={submit} className="space-y-3">
        {given === null && (
          <Field label="Name" hint="As relays ask for it: capital letters, digits and “_”.">
            {(ids) => (
              <TextInput
                {...ids}
                value={typed}
                required
                className="w-full font-mono"
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Value" hint="8 to 16,384 characters. It is never shown again, not even here." problem={problem}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={field}
              type="password"
              autoComplete="new-password"
              required
              minLength={8}
              maxLength={16_384}
              className="w-full font-mono"
              onPaste={refuseLines}
            />
          )}
        </Field>
      </form>
      {error !== null && <ErrorView error={error} />}
    </DialogFrame>
  );
}
