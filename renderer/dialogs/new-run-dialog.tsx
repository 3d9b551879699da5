import { useState } from 'react';
import type { RelayRow, Settings } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Field, Select, TextInput } from '../design/field.tsx';
import { Empty, ErrorView } from '../design/states.tsx';
import { lab } from '../lab/lab.ts';
import { useFreshRelays } from '../relay/fresh-relays.ts';
import { useLab } from '../store/lab-store.ts';
import { readRelays } from '../store/mirror.ts';
import { go, openDialog } from '../store/view-store.ts';
import { CrashPlanField } from './crash-plan-field.tsx';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { inputProblems } from './input-problems.ts';
import { JsonField } from './json-field.tsx';
import { RecoveryChoice } from './recovery-choice.tsx';
import { useSending } from './sending.ts';

/** Starts a run: of which relay, with which input, under which crash plan. */
export function NewRunDialog({ folder }: { readonly folder: string | null }) {
  const relays = useLab(({ relays }) => relays);
  useFreshRelays();
  const first = relays.find((relay) => relay.folder === folder) ?? relays[0];
  const [chosen, setChosen] = useState(first?.folder ?? '');
  const relay = relays.find((one) => one.folder === chosen) ?? first;
  if (relay === undefined) {
    return (
      <DialogFrame title="New run" actions={<LeaveButton />}>
        <Empty title="There is no relay to run">
          <Button onClick={() => openDialog({ kind: 'open-relay' })}>Open relay…</Button>
        </Empty>
      </DialogFrame>
    );
  }
  return <NewRunForm key={relay.folder} relay={relay} relays={relays} choose={setChosen} />;
}

interface NewRunFormProps {
  readonly relay: RelayRow;
  readonly relays: readonly RelayRow[];
  readonly choose: (folder: string) => void;
}

function NewRunForm({ relay, relays, choose }: NewRunFormProps) {
  const usual = useLab(({ settings }) => settings?.recovery ?? 'off');
  const [input, setInput] = useState(() => pretty(relay.exampleInput ?? '{}'));
  const [plan, setPlan] = useState<readonly string[]>([]);
  const [recovery, setRecovery] = useState<Settings['recovery'] | null>(null);
  const [id, setId] = useState('');
  const { isSending, error, send } = useSending();
  const problems = inputProblems(error);
  const start = (): void =>
    send(async () => {
      const run = await lab.call('run/start', {
        folder: relay.folder,
        input,
        id: id.trim() === '' ? null : id.trim(),
        crashPlan: [...plan],
        recovery: recovery ?? usual,
      });
      openDialog(null);
      go({ kind: 'run', run: run.id });
      // Its input is the example of the next run.
      await readRelays();
    });
  return (
    <DialogFrame
      title="New run"
      description="The folder’s content is frozen as a release, and the run is bound to it."
      isWide
      isForm
      actions={
        <>
          <LeaveButton />
          <Button look="primary" disabled={isSending || relay.problem !== null} onClick={start}>
            {isSending ? 'Starting…' : 'Start'}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <RelayPicker relay={relay} relays={relays} choose={choose} />
        <div>
          <JsonField label="Input" value={input} schema={relay.inputSchema} problems={problems} onChange={setInput} />
          {relay.exampleInput !== null && (
            <Button look="quiet" className="-ml-2" onClick={() => setInput(pretty(relay.exampleInput ?? '{}'))}>
              {relay.origin === 'scenario' ? 'Use the scenario’s input' : 'Use the last run’s input'}
            </Button>
          )}
        </div>
        <CrashPlanField relay={relay.name} plan={plan} onChange={setPlan} />
        <div className="grid gap-4 sm:grid-cols-2">
          <RecoveryChoice label="When its process vanishes" value={recovery ?? usual} onChange={setRecovery} />
          <Field label="Run id" hint="Left empty, one is made. A second run of the same id is refused.">
            {(ids) => (
              <TextInput
                {...ids}
                value={id}
                placeholder="made by the lab"
                className="font-mono"
                onChange={({ target }) => setId(target.value)}
              />
            )}
          </Field>
        </div>
        {error !== null && problems.length === 0 && <ErrorView error={error} />}
      </div>
    </DialogFrame>
  );
}

function RelayPicker({ relay, relays, choose }: NewRunFormProps) {
  const groups = [
    { label: 'Opened folders', rows: relays.filter(({ origin }) => origin === 'opened') },
    { label: 'Relays of the scenarios', rows: relays.filter(({ origin }) => origin === 'scenario') },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <Field
      label="Relay"
      hint={relay.manifest?.description ?? relay.folder}
      problem={relay.problem === null ? null : `${relay.problem.message} ${relay.problem.next}`}
    >
      {(ids) => (
        <div className="flex gap-2">
          <Select
            {...ids}
            value={relay.folder}
            className="min-w-0 flex-1"
            onChange={({ target }) => choose(target.value)}
          >
            {groups.map(({ label, rows }) => (
              <optgroup key={label} label={label}>
                {rows.map(({ folder, name }) => (
                  <option key={folder} value={folder}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
          <Button onClick={() => openDialog({ kind: 'open-relay' })}>Open another…</Button>
        </div>
      )}
    </Field>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
