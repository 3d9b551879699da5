import { commandIds, commands } from '../commands/commands.ts';
import { keyWords } from '../commands/keys.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { Choice } from '../design/field.tsx';
import { Facts } from '../design/page-section.tsx';
import { act } from '../lab/act.ts';
import { useLab } from '../store/lab-store.ts';
import { useView } from '../store/view-store.ts';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { RecoveryChoice } from './recovery-choice.tsx';

export function SettingsDialog() {
  return (
    <DialogFrame title="Settings" isWide actions={<LeaveButton>Close</LeaveButton>}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <ThemeChoice />
        <RecoverySetting />
        <div className="sm:col-span-2">
          <DataFolder />
        </div>
        <div className="sm:col-span-2">
          <Shortcuts />
        </div>
      </div>
    </DialogFrame>
  );
}

function ThemeChoice() {
  const theme = useView(({ theme }) => theme);
  return (
    <Choice
      label="Theme"
      value={theme}
      onChange={(value) => useView.setState({ theme: value })}
      options={[
        { value: 'system', title: 'As the system', hint: 'Follows it when it changes.' },
        { value: 'light', title: 'Light', hint: 'Kept in this browser.' },
        { value: 'dark', title: 'Dark', hint: 'Kept in this browser.' },
      ]}
    />
  );
}

function RecoverySetting() {
  const settings = useLab(({ settings }) => settings);
  if (settings === null) return null;
  const change = async (recovery: typeof settings.recovery): Promise<void> => {
    const kept = await act('settings/set', { recovery });
    if (kept !== null) useLab.setState({ settings: kept });
  };
  return (
    <RecoveryChoice
      label="Recovery of new runs, unless chosen otherwise"
      value={settings.recovery}
      onChange={(value) => void change(value)}
    />
  );
}

function DataFolder() {
  const info = useLab(({ info }) => info);
  if (info === null) return null;
  return (
    <section aria-label="The lab">
      <h3 className="mb-1 font-medium">The lab</h3>
      <Facts
        rows={[
          [
            'data folder',
            <span key="folder" className="flex items-center gap-1">
              <code className="font-mono">{info.dataFolder}</code>
              <CopyButton text={info.dataFolder} what="the data folder" />
            </span>,
          ],
          ...(info.ephemeral ? [['', 'It is removed when the host ends.'] as const] : []),
          [
            'another one',
            <span key="another">
              End the host and start it with <code className="font-mono">--data-dir FOLDER</code>, or set{' '}
              <code className="font-mono">RECOVERY_LAB_DATA_DIR</code>.
            </span>,
          ],
          ['engine', `${info.engine} ${info.sqlite}, journal ${info.journalMode}, synchronous ${info.synchronous}`],
          ['host', `${info.host}, version ${info.version}, pid ${info.pid}, Node ${info.node}, ${info.platform}`],
          ['decisions are signed', info.person],
        ]}
      />
    </section>
  );
}

function Shortcuts() {
  return (
    <section aria-label="Keyboard">
      <h3 className="mb-1 font-medium">Keyboard</h3>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-1 sm:grid-cols-2">
        {commandIds.map((id) => {
          const { keys, label } = commands[id];
          return (
            keys !== undefined && (
              <div key={id} className="flex items-center justify-between gap-3">
                <dt className="text-quiet">{label}</dt>
                <dd>
                  <kbd className="rounded border border-line bg-raised px-1.5 font-mono text-[11px]">
                    {keyWords(keys)}
                  </kbd>
                </dd>
              </div>
            )
          );
        })}
      </dl>
    </section>
  );
}
