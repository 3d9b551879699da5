import type { ScenarioProgress } from '../../runtime/contract/index.ts';

export type ScenarioState = ScenarioProgress['state'] | 'not played';

/** Sign, colour and words for how far a scenario has come in this host. */
export const scenarioMarks: Readonly<Record<ScenarioState, { sign: string; colour: string; words: string }>> = {
  'not played': { sign: '○', colour: 'text-quiet', words: 'not played yet' },
  queued: { sign: '◷', colour: 'text-waiting', words: 'queued' },
  playing: { sign: '▶', colour: 'text-open', words: 'playing' },
  proved: { sign: '✓', colour: 'text-done', words: 'proved' },
  failed: { sign: '✕', colour: 'text-failed', words: 'failed' },
  cancelled: { sign: '⊘', colour: 'text-quiet', words: 'cancelled' },
};

export function isUnderWay(state: ScenarioState): boolean {
  return state === 'queued' || state === 'playing';
}

export function ScenarioSign({ state }: { readonly state: ScenarioState }) {
  const { sign, colour, words } = scenarioMarks[state];
  return (
    <span className={`w-3.5 shrink-0 text-center ${colour}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
