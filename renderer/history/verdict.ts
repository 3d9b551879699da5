import { describeEnd, type EndCause, type Run } from '../../runtime/contract/index.ts';
import type { AttemptHistory } from './run-history.ts';

/** What the deaths in a run's history were, and so what its outcome proves (DESIGN.md section 3, guarantee 1). */
export interface Verdict {
  readonly proved: readonly ('process death' | 'host death')[];
  /** In one sentence. */
  readonly words: string;
}

const hostDeaths: ReadonlySet<EndCause['kind']> = new Set<EndCause['kind']>(['host-gone']);
const processDeaths: ReadonlySet<EndCause['kind']> = new Set<EndCause['kind']>([
  ...(['crash-point', 'signal', 'exit', 'killed'] as const),
]);

/** Null while there is nothing to say: no attempt died, or the run is not over. */
export function verdictOf(state: Run['state'], attempts: readonly AttemptHistory[]): Verdict | null {
  const causes = attempts.flatMap(({ cause }) => (cause === null ? [] : [cause]));
  const deaths = causes.filter(({ kind }) => hostDeaths.has(kind) || processDeaths.has(kind));
  if (state !== 'succeeded') return null;
  if (deaths.length === 0) return { proved: [], words: 'No process died: this proves nothing about recovery.' };
  const proved = [
    ...(deaths.some(({ kind }) => processDeaths.has(kind)) ? (['process death'] as const) : []),
    ...(deaths.some(({ kind }) => hostDeaths.has(kind)) ? (['host death'] as const) : []),
  ];
  const reused = attempts.at(-1)?.reused ?? 0;
  const how = deaths.map(describeEnd).join('; then ');
  const kept = `${reused} ${reused === 1 ? 'operation was' : 'operations were'} reused`;
  return { proved, words: `Recovered after ${how}. In the last attempt ${kept}.` };
}
