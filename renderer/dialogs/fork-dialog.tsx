import { useState } from 'react';
import { parentId, type Gives, type OperationId, type Run, type Settings } from '../../runtime/contract/index.ts';
import { useAnswer } from '../design/answer.ts';
import { Button } from '../design/button.tsx';
import { Field, Select, TextInput } from '../design/field.tsx';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { shortId } from '../design/words.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { go, openDialog } from '../store/view-store.ts';
import { CrashPlanField } from './crash-plan-field.tsx';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';
import { inputProblems } from './input-problems.ts';
import { JsonField } from './json-field.tsx';
import { RecoveryChoice } from './recovery-choice.tsx';
import { useSending } from './sending.ts';

interface ForkDialogProps {
  readonly run: string;
  /** The selected one, which may be nested. */
  readonly operation: string | null;
}

/** Makes a new run that reuses what another had checkpointed before a chosen operation. */
export function ForkDialog({ run: id, operation }: ForkDialogProps) {
  const run = useLab(({ runs }) => runs[id]);
  const operations = useAnswer('run/operations', { run: id, after: null, limit: 1000 });
  const own = operations.value?.filter((one) => parentId(one.id) === null);
  if (run !== undefined && own !== undefined && own.length > 0) {
    const selected = own.find((one) => one.id === operation?.split('.')[0]);
    return <ForkForm run={run} operations={own} first={(selected ?? own.at(-1))?.id ?? '0'} />;
  }
  return (
    <DialogFrame title="Fork" actions={<LeaveButton />}>
      {operations.error !== null && <ErrorView error={operations.error} retry={operations.again} />}
      {operations.value === null && operations.error === null && <Loading what="the operations" />}
      {own?.length === 0 && <Empty title="It has no operation yet">There is nothing to go on from.</Empty>}
    </DialogFrame>
  );
}

interface ForkFormProps {
  readonly run: Run;
  readonly operations: Gives<'run/operations'>;
  readonly first: string;
}

function ForkForm({ run, operations, first }: ForkFormProps) {
  const schema = useLab(({ relays }) => relays.find(({ name }) => name === run.relay)?.inputSchema ?? null);
  const [operation, setOperation] = useState(first);
  const [input, setInput] = useState<string | null>(null);
  const [plan, setPlan] = useState<readonly string[]>([]);
  const [recovery, setRecovery] = useState<Settings['recovery']>(run.recovery);
  const [id, setId] = useState('');
  const { isSending, error, send } = useSending();
  const problems = inputProblems(error);
  const before = operations.findIndex((one) => one.id === operation);
  const fork = (): void =>
    send(async () => {
      const made = await lab.call('run/fork', {
        run: run.id,
        operation: operation as OperationId,
        id: id.trim() === '' ? null : id.trim(),
        ...{ input, recovery, crashPlan: [...plan] },
      });
      openDialog(null);
      go({ kind: 'run', run: made.id });
    });
  return (
    <DialogFrame
      title={`Fork ${run.relay} ${shortId(run.id)}`}
      description="A new run of the same release. The run that you fork stays as it is."
      isWide
      isForm
      actions={
        <>
          <LeaveButton />
          <Button look="primary" disabled={isSending} onClick={fork}>
            {isSending ? 'Forking…' : 'Fork'}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Field
          label="Begin at operation"
          hint={`${before === 0 ? 'Nothing' : before === 1 ? 'One operation' : `${before} operations`} before it reused; it and all after it run again, with their effects.`}
        >
          {(ids) => (
            <Select {...ids} value={operation} onChange={({ target }) => setOperation(target.value)}>
              {operations.map(({ id: one, kind, name }) => (
                <option key={one} value={one}>
                  {one} · {name} ({kind})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div>
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={input !== null}
              className="accent-accent"
              onChange={({ target }) => setInput(target.checked ? run.input : null)}
            />
            Give it another input
          </label>
          {input !== null && (
            <div className="mt-2">
              <p className="mb-1 text-[12px] text-quiet">
                Results that are reused were made with the old input; only what runs again sees the new one.
              </p>
              <JsonField label="Input" value={input} schema={schema} problems={problems} onChange={setInput} />
            </div>
          )}
        </div>
        <CrashPlanField relay={run.relay} plan={plan} onChange={setPlan} />
        <div className="grid gap-4 sm:grid-cols-2">
          <RecoveryChoice label="When its process vanishes" value={recovery} onChange={setRecovery} />
          <Field label="Id of the new run" hint="Left empty, one is made.">
            {(ids) => (
              <TextInput {...ids} value={id} className="font-mono" onChange={({ target }) => setId(target.value)} />
            )}
          </Field>
        </div>
        {error !== null && problems.length === 0 && <ErrorView error={error} />}
      </div>
    </DialogFrame>
  );
}
