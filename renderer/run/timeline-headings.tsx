import { describeEnd } from '../../runtime/contract/index.ts';
import { duration } from '../design/words.ts';
import type { AttemptHistory } from '../history/run-history.ts';
import { sizes, type PlacedLane } from './timeline-scene.ts';

/** Above each lane: which attempt, which process, how long, how it ended. */
export function LaneHeadings({ lanes }: { readonly lanes: readonly PlacedLane[] }) {
  return lanes.map(({ lane, top }) => (
    <p
      key={lane.attempt.number}
      role="presentation"
      style={{ top: sizes.axis + top, height: sizes.heading }}
      className="pointer-events-none absolute left-0 flex max-w-full items-center gap-2 truncate px-2 text-[12px]"
    >
      <span className="rounded bg-panel/85 px-1 font-semibold">Attempt {lane.attempt.number}</span>
      <span className="rounded bg-panel/85 px-1 text-quiet">{facts(lane.attempt)}</span>
    </p>
  ));
}

function facts({ process, claimedAt, spawnedAt, endedAt, cause, reused }: AttemptHistory): string {
  const parts = [process === null ? 'no process yet' : `pid ${process.pid}`];
  if (spawnedAt !== null && spawnedAt > claimedAt) parts.push(`started in ${duration(spawnedAt - claimedAt)}`);
  if (endedAt !== null) parts.push(`lived ${duration(endedAt - (spawnedAt ?? claimedAt))}`);
  if (reused > 0) parts.push(`${reused} reused`);
  if (cause?.kind === 'finished') parts.push('finished');
  else if (cause !== null && cause.kind !== 'crash-point') parts.push(describeEnd(cause));
  return parts.join(' · ');
}
