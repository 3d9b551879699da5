import { useMemo } from 'react';
import { Button } from '../design/button.tsx';
import { readValue } from '../history/read-value.ts';
import { notify } from '../store/view-store.ts';

/** Over this many signs a value is shown plain: colouring it would make the page wait. */
const mostColoured = 40_000;
const mostShown = 400_000;

/** A recorded value, indented; what JSON cannot say of it stands below. */
export function JsonText({ value, label }: { readonly value: string; readonly label: string }) {
  const { text, kinds } = useMemo(() => readValue(value), [value]);
  const shown = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
  return (
    <>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-72 overflow-auto rounded border border-line bg-page px-2 py-1.5 font-mono text-[12px] leading-[1.5] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {shown.length > mostColoured ? shown : <Coloured text={shown} />}
      </pre>
      {kinds.length > 0 && (
        <p className="mt-1 text-[12px] text-quiet">{kinds.map(({ path, kind }) => `${path} is ${kind}`).join('; ')}</p>
      )}
    </>
  );
}

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notify(`Copied ${what}`);
  };
  return (
    <Button look="quiet" className="h-6! px-1.5! text-[12px]!" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      Copy
    </Button>
  );
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function Coloured({ text }: { readonly text: string }) {
  const parts: React.ReactNode[] = [];
  let place = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(place, match.index));
    const colour = string === undefined ? 'text-open' : colon === undefined ? 'text-done' : 'text-accent';
    parts.push(
      <span key={match.index} className={colour}>
        {string ?? whole}
      </span>,
      colon ?? '',
    );
    place = match.index + whole.length;
  }
  parts.push(text.slice(place));
  return parts;
}
