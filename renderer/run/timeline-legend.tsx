import type { ReactNode } from 'react';

const entries: readonly { readonly words: string; readonly sign: ReactNode }[] = [
  { words: 'done', sign: <Sample className="border-done bg-done/20" /> },
  { words: 'reused', sign: <Sample className="border-reused" /> },
  { words: 'at work', sign: <Sample className="border-open border-r-[3px] bg-open/20" /> },
  { words: 'failed', sign: <Sample className="border-failed bg-failed/30" /> },
  { words: 'cut by a death', sign: <Torn /> },
  { words: 'uncertain', sign: <Sample className="border-uncertain" hatched /> },
  { words: 'kill', sign: <span className="h-3.5 w-0.5 bg-kill" /> },
  { words: 'armed', sign: <span className="text-[10px] leading-none text-kill">▽</span> },
  { words: 'fired', sign: <span className="text-[10px] leading-none text-kill">▼</span> },
];

/** What the signs of the timeline mean. */
export function TimelineLegend() {
  return (
    <ul
      aria-label="legend"
      className="flex min-w-0 shrink-0 flex-wrap items-center gap-x-4 border-t border-line px-3 py-1 text-[12px] text-quiet"
    >
      {entries.map(({ words, sign }) => (
        <li key={words} className="inline-flex items-center gap-1 whitespace-nowrap">
          <span aria-hidden="true" className="inline-flex items-center">
            {sign}
          </span>
          {words}
        </li>
      ))}
    </ul>
  );
}

function Sample({ className, hatched = false }: { readonly className: string; readonly hatched?: boolean }) {
  const background = hatched
    ? { background: 'repeating-linear-gradient(135deg, var(--uncertain) 0 1px, transparent 1px 4px)' }
    : {};
  return <span style={background} className={`inline-block h-3 w-4 rounded-[2px] border ${className}`} />;
}

function Torn() {
  return (
    <svg
      width="17"
      height="12"
      viewBox="0 0 17 12"
      fill="color-mix(in srgb, var(--kill) 20%, transparent)"
      stroke="var(--kill)"
    >
      <path d="M.5 .5H16L12.5 3.3 16 6 12.5 8.7 16 11.5H.5Z" />
    </svg>
  );
}
