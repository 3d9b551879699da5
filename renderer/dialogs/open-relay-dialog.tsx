import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Field, TextInput } from '../design/field.tsx';
import { ErrorView } from '../design/states.tsx';
import { act } from '../lab/act.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { readRelays } from '../store/mirror.ts';
import { go, openDialog } from '../store/view-store.ts';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { useSending } from './sending.ts';

/** Takes a relay's folder into the list. Nothing of it is executed. */
export function OpenRelayDialog() {
  const isDesktop = useLab(({ info }) => info?.host === 'desktop');
  const [folder, setFolder] = useState('');
  const { isSending, error, send } = useSending();
  const open = (path: string): void =>
    send(async () => {
      const relay = await lab.call('relay/open', { folder: path });
      await readRelays();
      openDialog(null);
      go({ kind: 'relay', folder: relay.folder });
    });
  const choose = async (): Promise<void> => {
    const chosen = await act('host/choose-folder', { title: 'Open a relay' });
    if (chosen === null) return;
    setFolder(chosen);
    open(chosen);
  };
  return (
    <DialogFrame
      title="Open relay"
      description="A relay is a folder with a manifest relay.json and an entry file. It stays where it is; opening executes nothing."
      isForm
      actions={
        <>
          <LeaveButton />
          <Button look="primary" disabled={isSending || folder.trim() === ''} onClick={() => open(folder.trim())}>
            {isSending ? 'Checking…' : 'Open'}
          </Button>
        </>
      }
    >
      <Field label="Folder" hint="The whole path, on the machine of the host.">
        {(ids) => (
          <div className="flex gap-2">
            <TextInput
              {...ids}
              value={folder}
              placeholder="/home/me/my-relay"
              className="min-w-0 flex-1 font-mono"
              onChange={({ target }) => setFolder(target.value)}
              onKeyDown={({ key }) => key === 'Enter' && folder.trim() !== '' && open(folder.trim())}
            />
            {isDesktop && <Button onClick={() => void choose()}>Choose…</Button>}
          </div>
        )}
      </Field>
      {error !== null && <ErrorView error={error} />}
    </DialogFrame>
  );
}
