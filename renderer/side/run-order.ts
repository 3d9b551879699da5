import type { Run, RunState } from '../../runtime/contract/index.ts';

export interface RunFilter {
  readonly state: RunState | null;
  /** Part of an id or of a relay's name. */
  readonly text: string;
}

/** Runs that pass the filter, the newest first. */
export function orderedRuns(runs: Readonly<Record<string, Run>>, { state, text }: RunFilter): Run[] {
  const wanted = text.trim().toLowerCase();
  return Object.values(runs)
    .filter((run) => state === null || run.state === state)
    .filter(({ id, relay }) => id.toLowerCase().includes(wanted) || relay.toLowerCase().includes(wanted))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}
