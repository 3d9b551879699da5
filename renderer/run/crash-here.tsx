import { useMemo } from 'react';
import { isTerminal, type Run } from '../../runtime/contract/index.ts';
import { ErrorView } from '../design/states.tsx';
import { pointAt, pointsByOperation, pointTarget } from '../history/point-target.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { act } from '../lab/act.ts';
import { useOpenRun } from '../store/open-run.ts';
import { useView } from '../store/view-store.ts';
import { useCrashPhases } from './crash-phases.ts';
import { Part } from './inspector-parts.tsx';
import { PointMark } from './point-mark.tsx';
import { stage, unstage } from './staged-plan.ts';
import type { LanePoint } from './timeline-scene.ts';

const noPlan: readonly string[] = [];

/**
 * Chooses where the process dies at this operation. In a living attempt that has not passed it the point is armed at
 * once; otherwise it waits on the page for the next attempt.
 */
export function CrashHere({ run, operation }: { readonly run: Run; readonly operation: OperationHistory }) {
  const { phases, error } = useCrashPhases();
  const history = useOpenRun(({ history }) => history);
  const staged = useView(({ plans }) => plans[run.id] ?? noPlan);
  const attempt = history.attempts.at(-1);
  const isAlive = attempt !== undefined && attempt.endedAt === null;
  const isAhead = operation.state === 'open' || operation.spans.at(-1)?.attempt !== attempt?.number;
  const armsNow = isAlive && isAhead;
  const points = useMemo(() => {
    const known: readonly LanePoint[] = [
      ...history.attempts.flatMap((one) => one.points),
      ...staged.map((point): LanePoint => ({ point, state: 'staged' })),
    ];
    return pointsByOperation(history.operations, known).get(operation.id) ?? [];
  }, [history, staged, operation.id]);

  if (isTerminal(run.state)) {
    return points.length === 0 ? null : (
      <Part title="Crash points">
        <p>
          {points.map((point, place) => (
            <PointMark key={place} point={point} />
          ))}
        </p>
      </Part>
    );
  }
  function change(phase: string, isOn: boolean, present: LanePoint | undefined): void {
    const point = present?.point ?? pointAt(history.operations, operation, phase);
    if (present?.state === 'staged' || (!armsNow && isOn)) (isOn ? stage : unstage)(run.id, point);
    else void act(isOn ? 'run/arm' : 'run/disarm', { run: run.id, point });
  }
  return (
    <Part
      title={armsNow ? 'Crash here now' : 'Crash here next time'}
      aside={
        <span className="text-[12px] text-quiet">{armsNow ? 'arms the living attempt' : 'taken along by Recover'}</span>
      }
    >
      {error !== null && <ErrorView error={error} />}
      <ul className="flex flex-col gap-1">
        {phases?.operation.map(({ phase, onDisk }) => {
          const own = points.filter(({ point }) => pointTarget(point)?.phase === phase);
          const present = own.findLast(({ state }) => state === 'staged' || (state === 'armed' && isAlive));
          const past = own.findLast((one) => one !== present && one.state !== 'withdrawn');
          return (
            <li key={phase}>
              <label className="flex items-start gap-2 rounded hover:bg-raised">
                <input
                  type="checkbox"
                  className="mt-[3px] accent-kill"
                  checked={present !== undefined}
                  onChange={({ target }) => change(phase, target.checked, present)}
                />
                <span className="min-w-0">
                  <span className="font-mono text-[12px]">{phase}</span>
                  {(present ?? past) !== undefined && (
                    <span className="ml-2">
                      <PointMark point={present ?? past ?? { point: phase, state: 'missed' }} />
                    </span>
                  )}
                  <span className="block text-[12px] text-quiet">{onDisk}</span>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
