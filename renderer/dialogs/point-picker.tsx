import { useId, useState } from 'react';
import type { Gives } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { Select, TextInput } from '../design/field.tsx';
import { pointText } from './point-text.ts';

interface PointPickerProps {
  readonly phases: Gives<'crash/phases'>;
  /** Null while they are read, or when they cannot be. */
  readonly operations: Gives<'relay/operations'> | null;
  readonly relay: string;
  readonly onAdd: (point: string) => void;
}

const ofRun = 'run#1';

/** A crash point put together: which operation, in which phase, what is done to the process. */
export function PointPicker({ phases, operations, relay, onAdd }: PointPickerProps) {
  const [target, setTarget] = useState<string | null>(null);
  const [phase, setPhase] = useState<string | null>(null);
  const [afterMs, setAfterMs] = useState('');
  const [action, setAction] = useState(phases.actions[0] ?? 'SIGKILL');
  const said = useId();
  const first = operations?.[0];
  const chosen = target ?? (first === undefined ? ofRun : keyOf(first));
  const isRun = chosen === ofRun;
  const possible = isRun ? phases.run : phases.operation;
  const usual = possible.find(({ phase: one }) => one === (isRun ? 'before-result' : 'after-checkpoint'));
  const shown = possible.find(({ phase: one }) => one === phase) ?? usual ?? possible[0];
  if (shown === undefined) return null;
  const cut = chosen.lastIndexOf('#');
  const point = pointText({
    operation: chosen.slice(0, cut),
    occurrence: Number(chosen.slice(cut + 1)),
    phase: shown.phase,
    ...{ afterMs, action },
  });
  return (
    <div className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Operation"
          value={chosen}
          onChange={(event) => setTarget(event.target.value)}
          className="max-w-56 min-w-0 flex-1"
        >
          {operations?.map((operation) => (
            <option key={operation.id} value={keyOf(operation)}>
              {operation.name}
              {operation.occurrence > 1 ? ` #${operation.occurrence}` : ''} · {operation.kind} {operation.id}
            </option>
          ))}
          <option value={ofRun}>the run itself</option>
        </Select>
        <Select
          aria-label="Phase"
          aria-describedby={said}
          value={shown.phase}
          onChange={(event) => setPhase(event.target.value)}
        >
          {possible.map(({ phase: one }) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
        {shown.phase === 'during' && (
          <TextInput
            aria-label="Milliseconds after it began"
            inputMode="numeric"
            placeholder={isRun ? '+ ms' : '+ ms, or none'}
            value={afterMs}
            onChange={(event) => setAfterMs(event.target.value.replaceAll(/\D/g, ''))}
            className="w-28"
          />
        )}
        <Select aria-label="Action" value={action} onChange={(event) => setAction(event.target.value)}>
          {phases.actions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
        <Button onClick={() => onAdd(point)}>
          Add <code className="max-w-56 truncate font-mono text-[12px] text-kill">{point}</code>
        </Button>
      </div>
      <p id={said} className="text-[12px] text-quiet">
        <b className="font-medium text-ink">{shown.phase}</b>: {shown.onDisk}.
        {shown.phase === 'during' &&
          !isRun &&
          ' Without a time: when a service of the lab has done its work and has not answered yet.'}
      </p>
      {operations?.length === 0 && (
        <p className="text-[12px] text-quiet">
          {relay} has not run yet, so its operations are not known: run it once, or write a point below.
        </p>
      )}
    </div>
  );
}

function keyOf({ name, occurrence }: Gives<'relay/operations'>[number]): string {
  return `${name}#${occurrence}`;
}
