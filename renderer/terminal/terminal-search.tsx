import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import type { OutputTerminal } from './open-terminal.ts';

interface TerminalSearchProps {
  readonly terminal: OutputTerminal | null;
  readonly found: { readonly place: number; readonly count: number };
  onClose(this: void): void;
}

/** A small bar that finds words in the terminal. */
export function TerminalSearch({ terminal, found, onClose }: TerminalSearchProps) {
  const [term, setTerm] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const find = (direction: 'next' | 'previous'): void => terminal?.find(term, direction, false);
  return (
    <form
      role="search"
      aria-label="Search the output"
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        find('next');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter' && event.shiftKey) {
          event.preventDefault();
          find('previous');
        }
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Words in the output"
        placeholder="Find in the output"
        className="h-6 w-44 rounded border border-line bg-panel px-2 text-xs"
        value={term}
        onChange={({ target }) => {
          setTerm(target.value);
          if (target.value === '') terminal?.endFind();
          else terminal?.find(target.value, 'next', true);
        }}
      />
      <span role="status" className="min-w-14 text-center tabular-nums">
        {term === '' ? '' : found.count === 0 ? 'none' : `${found.place} of ${found.count}`}
      </span>
      <Button look="quiet" aria-label="Previous" className="!h-6 !px-1.5" onClick={() => find('previous')}>
        ↑
      </Button>
      <Button look="quiet" aria-label="Next" className="!h-6 !px-1.5" onClick={() => find('next')}>
        ↓
      </Button>
      <Button look="quiet" aria-label="Close the search" className="!h-6 !px-1.5" onClick={onClose}>
        ✕
      </Button>
    </form>
  );
}
