import { useEffect, useRef, useState } from 'react';
import type { LabError } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { ErrorView } from '../design/states.tsx';
import { followOutput } from './follow-output.ts';
import { keptLines, openTerminal, type OutputTerminal } from './open-terminal.ts';
import { TerminalSearch } from './terminal-search.tsx';

const lines = new Intl.NumberFormat('en');

/** The output of a run's attempts in a terminal. Mounted anew for each run. */
export function TerminalView({ run }: { readonly run: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [terminal, setTerminal] = useState<OutputTerminal | null>(null);
  const [error, setError] = useState<LabError | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  const [found, setFound] = useState({ place: 0, count: 0 });
  const [again, setAgain] = useState(0);

  useEffect(() => {
    if (place.current === null) return;
    const opened = openTerminal(place.current, {
      onSearch: () => setIsSearching(true),
      onFound: (place, count) => setFound({ place, count }),
    });
    setTerminal(opened);
    setError(null);
    const stop = followOutput(run, opened, setError);
    return () => {
      stop();
      opened.dispose();
      setTerminal(null);
    };
  }, [run, again]);

  function endSearch(): void {
    setIsSearching(false);
    terminal?.endFind();
    terminal?.focus();
  }
  return (
    <section aria-label="Terminal" className="flex h-full min-h-0 flex-col bg-panel">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-0.5 text-xs text-quiet">
        <span className="font-medium text-ink">Output</span>
        <span>
          stdout · <span className="text-open">stderr</span> · the last {lines.format(keptLines)} lines are kept; all of
          it is in the files
        </span>
        <span className="ml-auto flex items-center gap-1">
          {isSearching ? (
            <TerminalSearch terminal={terminal} found={found} onClose={endSearch} />
          ) : (
            <Button look="quiet" className="!h-6" onClick={() => setIsSearching(true)}>
              Search
            </Button>
          )}
          <Button
            look="quiet"
            className="!h-6"
            title="The selected text, or all that is kept"
            onClick={() => void navigator.clipboard.writeText(terminal?.text() ?? '')}
          >
            Copy
          </Button>
          <Button look="quiet" className="!h-6" onClick={() => terminal?.clear()}>
            Clear
          </Button>
        </span>
      </header>
      {error !== null && <ErrorView error={error} retry={() => setAgain((count) => count + 1)} />}
      <div className="min-h-0 flex-1 overflow-hidden py-1 pl-3">
        <div ref={place} className="h-full" />
      </div>
    </section>
  );
}
