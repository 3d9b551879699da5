import type { ScenarioProgress } from '../../runtime/contract/index.ts';
import { useLab } from '../store/lab-store.ts';
import { go } from '../store/view-store.ts';

type Piece = ScenarioProgress['evidence'][number];

/** The evidence of the scenario that the run belongs to, filling in live. Nothing for other runs. */
export function RunEvidence({ run }: { readonly run: string }) {
  const progress = useLab(({ progress }) => Object.values(progress).find(({ runs }) => runs.includes(run)));
  if (progress === undefined) return null;
  const { scenario, evidence } = progress;
  const proved = evidence.filter(({ ok }) => ok === true).length;
  return (
    <div className="flex items-baseline gap-2 rounded bg-raised px-2 py-1 text-[12px]">
      <button
        type="button"
        className="shrink-0 font-medium text-accent hover:underline"
        onClick={() => go({ kind: 'scenario', name: scenario })}
      >
        {scenario}
      </button>
      <span className="shrink-0 text-quiet tabular-nums">
        {proved} of {evidence.length} proved
      </span>
      <ul
        tabIndex={0}
        aria-label="expected evidence"
        className="flex max-h-16 min-w-0 flex-wrap gap-x-3 overflow-y-auto"
      >
        {evidence.map((piece) => (
          <EvidencePiece key={piece.name} piece={piece} />
        ))}
      </ul>
    </div>
  );
}

function EvidencePiece({ piece: { name, expected, actual, ok } }: { readonly piece: Piece }) {
  const [sign, colour, words] =
    ok === null
      ? (['○', 'text-quiet', 'pending'] as const)
      : ok
        ? (['✓', 'text-done', 'shown'] as const)
        : (['✗', 'text-failed', 'not shown'] as const);
  return (
    <li
      className="inline-flex items-baseline gap-1"
      title={`expected ${expected}${actual === null ? '' : `; found ${actual}`}`}
    >
      <span aria-hidden="true" className={colour}>
        {sign}
      </span>
      <span className="sr-only">{words}: </span>
      <span>{name}</span>
      {ok === false && <span className="text-failed">found {actual}</span>}
    </li>
  );
}
