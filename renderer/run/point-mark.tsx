import { pointTarget } from '../history/point-target.ts';
import type { LanePoint } from './timeline-scene.ts';

const marks: Readonly<Record<LanePoint['state'], { sign: string; colour: string; words: string }>> = {
  staged: { sign: '▽', colour: 'text-kill', words: 'armed for the next attempt' },
  armed: { sign: '▽', colour: 'text-kill', words: 'armed' },
  fired: { sign: '▼', colour: 'text-kill', words: 'fired' },
  missed: { sign: '⌀', colour: 'text-quiet', words: 'missed' },
  withdrawn: { sign: '⌀', colour: 'text-quiet', words: 'withdrawn' },
};

/** A crash point of an operation: its phase, and whether it is armed, fired or missed. */
export function PointMark({ point: { point, state } }: { readonly point: LanePoint }) {
  const { sign, colour, words } = marks[state];
  const target = pointTarget(point);
  return (
    <span
      className={`mr-2 inline-flex items-baseline gap-1 text-[12px] whitespace-nowrap ${colour}`}
      title={`${point}: ${words}`}
    >
      <span aria-hidden="true">{sign}</span>
      {target === null ? point : `${target.phase}${target.rest}`}
      <span className="text-quiet">{words}</span>
    </span>
  );
}
