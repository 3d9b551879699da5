import { useState } from 'react';
import { X } from 'lucide-react';
import { asLabError } from '../../runtime/contract/index.ts';
import { useAnswer } from '../design/answer.ts';
import { Button } from '../design/button.tsx';
import { TextInput } from '../design/field.tsx';
import { ErrorView } from '../design/states.tsx';
import { lab } from '../lab/lab.ts';
import { PointPicker } from './point-picker.tsx';

interface CrashPlanFieldProps {
  /** Name of the relay whose latest run the operations are taken from. */
  readonly relay: string;
  readonly plan: readonly string[];
  readonly onChange: (plan: readonly string[]) => void;
}

/** The points at which the run's process is to be killed: picked, or written. */
export function CrashPlanField({ relay, plan, onChange }: CrashPlanFieldProps) {
  const phases = useAnswer('crash/phases', {});
  const operations = useAnswer('relay/operations', { relay });
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  /** Takes a point in its usual form when it can be used. */
  const add = async (point: string): Promise<boolean> => {
    try {
      const [checked] = await lab.call('crash/check', { points: [point] });
      if (checked === undefined) return false;
      setProblem(checked.problem);
      if (checked.problem !== null) return false;
      if (!plan.includes(checked.point)) onChange([...plan, checked.point]);
      return true;
    } catch (thrown) {
      setProblem(asLabError(thrown).message);
      return false;
    }
  };
  const addWritten = async (): Promise<void> => {
    if (written.trim() !== '' && (await add(written.trim()))) setWritten('');
  };

  return (
    <fieldset className="space-y-2 rounded border border-line px-3 pt-0.5 pb-3">
      <legend className="px-1 font-medium">Crash plan</legend>
      {plan.length === 0 ? (
        <p className="text-quiet">No crash: the run goes to its end, unless you kill it.</p>
      ) : (
        <ul aria-label="chosen crash points" className="flex flex-wrap gap-1.5">
          {plan.map((point) => (
            <li key={point} className="flex items-center gap-1 rounded border border-kill/40 bg-kill/6 pl-2 text-kill">
              <code className="font-mono">{point}</code>
              <button
                type="button"
                aria-label={`Take ${point} out of the plan`}
                className="flex size-6 items-center justify-center rounded hover:bg-kill/15"
                onClick={() => onChange(plan.filter((one) => one !== point))}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {phases.error !== null && <ErrorView error={phases.error} retry={phases.again} />}
      {phases.value !== null && (
        <PointPicker
          key={relay}
          phases={phases.value}
          operations={operations.value}
          relay={relay}
          onAdd={(point) => void add(point)}
        />
      )}
      <div className="flex items-center gap-2">
        <TextInput
          aria-label="A crash point in words"
          placeholder="or write it: OPERATION[#N]@PHASE[+MS][=ACTION]"
          value={written}
          aria-invalid={problem !== null}
          className="min-w-0 flex-1 font-mono text-[12px]"
          onChange={({ target }) => {
            setWritten(target.value);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void addWritten();
          }}
        />
        <Button disabled={written.trim() === ''} onClick={() => void addWritten()}>
          Add
        </Button>
      </div>
      {problem !== null && (
        <p role="alert" className="text-[12px] text-failed">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
