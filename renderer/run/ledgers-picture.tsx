import { counted } from '../ledgers/counted.ts';
import type { Connector, PlacedLedgers } from '../ledgers/place-ledgers.ts';
import type { LedgerTotals } from '../ledgers/sum-ledgers.ts';
import { HoleCard, KeyCard, OperationCard } from './ledgers-cards.tsx';

/** Pixels between the two ledgers, for the lines. */
const gap = 88;

const strokes: Readonly<Record<Connector['look'], string>> = {
  done: 'var(--done)',
  reused: 'var(--reused)',
  open: 'var(--open)',
  failed: 'var(--failed)',
  uncertain: 'var(--uncertain)',
  quiet: 'var(--quiet)',
};

interface PictureProps {
  readonly run: string;
  readonly placed: PlacedLedgers;
  readonly totals: LedgerTotals;
}

/** Both ledgers side by side, with a line from each operation to what the services saw of it. */
export function LedgersPicture({ run, placed, totals }: PictureProps) {
  const { operations, keys, holes, connectors, height } = placed;
  const column = { width: `calc(50% - ${gap / 2}px)` };
  return (
    <div className="min-w-[560px] px-4 pb-4">
      <div className="sticky top-0 z-10 flex justify-between bg-page py-2">
        <h2 style={column}>
          <span className="block font-semibold">What the program believes</span>
          <span className="block truncate text-xs text-quiet">
            {counted(totals.operations, 'operation')} · {counted(totals.checkpoints, 'checkpoint')} ·{' '}
            {counted(totals.bodies, 'body begun', 'bodies begun')}
          </span>
        </h2>
        <h2 style={column}>
          <span className="block font-semibold">What each service saw</span>
          <span className="block truncate text-xs text-quiet">
            {totals.services
              .map((one) => `${one.service} ${counted(one.requests, 'request')}, ${counted(one.effects, 'effect')}`)
              .join(' · ') || 'no request'}
          </span>
        </h2>
      </div>
      <div className="relative" style={{ height }}>
        <ol aria-label="What the program believes" className="absolute top-0 left-0" style={{ ...column, height }}>
          {operations.map((one) => (
            <OperationCard key={one.row.operation.id} placed={one} />
          ))}
        </ol>
        <svg
          aria-hidden="true"
          className="absolute top-0"
          style={{ left: `calc(50% - ${gap / 2}px)` }}
          width={gap}
          height={height}
        >
          {connectors.map(({ key, from, to, look, isDashed }) => (
            <g key={key} stroke={strokes[look]} fill="none" strokeWidth={1.75}>
              <path
                d={`M 1 ${from} C ${gap / 2} ${from}, ${gap / 2} ${to}, ${gap - 8} ${to}`}
                strokeDasharray={isDashed ? '6 4' : undefined}
              />
              <circle cx={1} cy={from} r={3.5} fill={strokes[look]} stroke="none" />
              <path
                d={`M ${gap - 9} ${to - 5} L ${gap - 1} ${to} L ${gap - 9} ${to + 5} Z`}
                fill={strokes[look]}
                stroke="none"
              />
            </g>
          ))}
        </svg>
        <ol aria-label="What each service saw" className="absolute top-0 right-0" style={{ ...column, height }}>
          {keys.map((one) => (
            <KeyCard key={`${one.top}`} placed={one} run={run} />
          ))}
          {holes.map((hole) => (
            <HoleCard key={`${hole.top}`} hole={hole} />
          ))}
        </ol>
      </div>
    </div>
  );
}
