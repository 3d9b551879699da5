import type { ScenarioProgress } from '../../runtime/contract/index.ts';
import { scenarioMarks } from './scenario-mark.tsx';

/** What came of it, in one line. */
export function Verdict({ progress: { state, evidence } }: { readonly progress: ScenarioProgress }) {
  const { sign, colour } = scenarioMarks[state];
  const wrong = evidence.filter(({ ok }) => ok === false).length;
  const words = {
    queued: 'Queued: scenarios are played one after the other.',
    playing: wrong === 0 ? 'Playing…' : `Playing… ${count(wrong)} not as expected so far.`,
    proved: `Proved: all ${count(evidence.length)} found as expected.`,
    failed: `Failed: ${count(wrong)} not as expected.`,
    cancelled: 'Cancelled: this proves nothing, either way.',
  }[state];
  return (
    <p role="status" className={`mt-4 flex items-center gap-2 text-[14px] font-medium ${colour}`}>
      <span aria-hidden="true">{sign}</span>
      {words}
    </p>
  );
}

function count(pieces: number): string {
  return pieces === 1 ? 'one piece of evidence' : `${pieces} pieces of evidence`;
}
