import { evidenceGroups, type EvidenceGroup, type Piece } from './evidence-groups.ts';

/** Expected evidence as it fills in: pending, found as expected, or found otherwise. */
export function EvidenceList({ evidence }: { readonly evidence: readonly Piece[] }) {
  return (
    <div className="@container">
      {evidenceGroups(evidence).map(({ title, pieces }) => (
        <section key={`${title} ${pieces[0]?.name ?? ''}`} aria-label={title === '' ? 'more evidence' : title}>
          {title !== '' && <h3 className="mt-2 mb-0.5 text-[12px] font-semibold text-quiet">{title}</h3>}
          <ol className="divide-y divide-line/60">
            {pieces.map((piece) => (
              <Row key={piece.name} piece={piece} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

const marks = {
  pending: { sign: '○', colour: 'text-quiet' },
  found: { sign: '✓', colour: 'text-done' },
  'not as expected': { sign: '✕', colour: 'text-failed' },
} as const;

function Row({ piece: { short, expected, actual, ok } }: { readonly piece: EvidenceGroup['pieces'][number] }) {
  const words = ok === null ? 'pending' : ok ? 'found' : 'not as expected';
  const { sign, colour } = marks[words];
  return (
    <li className={`flex gap-2 py-1 ${ok === false ? 'bg-failed/6' : ''}`}>
      <span className={`w-4 shrink-0 text-center font-semibold ${colour}`}>
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{words}</span>
      </span>
      <div className="grid min-w-0 flex-1 gap-x-3 wrap-anywhere @md:grid-cols-[minmax(8.5rem,28%)_1fr]">
        <p className={ok === null ? 'text-quiet' : ''}>{short}</p>
        {ok === false ? (
          <dl className="grid grid-cols-[auto_1fr] gap-x-2 text-[12px] leading-5">
            <dt className="text-quiet">expected</dt>
            <dd className="font-mono">{expected}</dd>
            <dt className="text-quiet">found</dt>
            <dd className="font-mono text-failed">{actual}</dd>
          </dl>
        ) : (
          <p className={`font-mono text-[12px] leading-5 ${ok === null ? 'text-quiet' : ''}`}>{actual ?? expected}</p>
        )}
      </div>
    </li>
  );
}
