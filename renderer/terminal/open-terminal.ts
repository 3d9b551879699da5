import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { terminalTheme } from './terminal-theme.ts';

/** Lines that are kept above those in view; older ones are dropped. */
export const keptLines = 10_000;

const pieceLength = 4096;

/** A terminal that shows text and takes none. */
export interface OutputTerminal {
  /** Resolves when it has been drawn in. */
  write(this: void, text: string): Promise<void>;
  find(term: string, direction: 'next' | 'previous', isTyping: boolean): void;
  endFind(): void;
  clear(): void;
  /** The selected text, or all that is kept. */
  text(): string;
  focus(): void;
  dispose(): void;
}

interface Listeners {
  /** A person wants to search. */
  onSearch(this: void): void;
  onFound(this: void, place: number, count: number): void;
}

/** Opens a terminal in an element, and keeps it in the element's size and in the page's colours. */
export function openTerminal(place: HTMLElement, { onSearch, onFound }: Listeners): OutputTerminal {
  const root = document.documentElement;
  const terminal = new Terminal({
    ...{ disableStdin: true, convertEol: true, scrollback: keptLines, cursorBlink: false },
    // Of the search library: marks on what was found.
    allowProposedApi: true,
    ...{ cursorInactiveStyle: 'none', fontSize: 12, lineHeight: 1.25, minimumContrastRatio: 4.5 },
    fontFamily: getComputedStyle(root).getPropertyValue('--font-mono') || 'monospace',
    theme: terminalTheme(root),
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  refuseReach(terminal);
  handleKeys(terminal, onSearch);
  terminal.open(place);
  search.onDidChangeResults(({ resultIndex, resultCount }) => onFound(resultIndex + 1, resultCount));

  let frame = 0;
  const size = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      // Hidden: it keeps its size, and with it the person's place.
      if (place.clientWidth > 0 && place.clientHeight > 0) fit.fit();
    });
  });
  size.observe(place);
  const theme = new MutationObserver(() => void (terminal.options.theme = terminalTheme(root)));
  theme.observe(root, { attributes: true, attributeFilter: ['data-theme'] });

  return {
    write: (text) =>
      new Promise((resolve) => {
        // Small pieces: between two of them the terminal looks at the time and lets others have their turn.
        for (let from = 0; from < text.length; from += pieceLength) {
          const piece = text.slice(from, from + pieceLength);
          if (from + pieceLength < text.length) terminal.write(piece);
          else terminal.write(piece, resolve);
        }
      }),
    find(term, direction, isTyping) {
      const style = getComputedStyle(root);
      const colour = (name: string): string => style.getPropertyValue(name).trim();
      const marks = {
        ...{ matchBackground: colour('--raised'), matchBorder: colour('--open'), matchOverviewRuler: colour('--open') },
        ...{ activeMatchBackground: colour('--open'), activeMatchColorOverviewRuler: colour('--kill') },
      };
      if (direction === 'next') search.findNext(term, { incremental: isTyping, decorations: marks });
      else search.findPrevious(term, { decorations: marks });
    },
    endFind() {
      search.clearDecorations();
      terminal.clearSelection();
    },
    clear: () => terminal.clear(),
    text() {
      if (terminal.hasSelection()) return terminal.getSelection();
      terminal.selectAll();
      const all = terminal.getSelection();
      terminal.clearSelection();
      return all;
    },
    focus: () => terminal.focus(),
    dispose() {
      cancelAnimationFrame(frame);
      size.disconnect();
      theme.disconnect();
      terminal.dispose();
    },
  };
}

/**
 * Output is text and colours. What would reach further is passed over: titles, clipboard and links (OSC), other screens
 * and mouse (private modes), clearing what stands there, and a full reset.
 */
function refuseReach({ parser }: Terminal): void {
  for (const code of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 133, 777, 1337])
    parser.registerOscHandler(code, () => true);
  for (const final of ['h', 'l']) parser.registerCsiHandler({ prefix: '?', final }, () => true);
  parser.registerCsiHandler({ final: 'J' }, () => true);
  parser.registerEscHandler({ final: 'c' }, () => true);
}

/** Keys scroll or search; all others are the page's, so that nobody is caught in the terminal. */
function handleKeys(terminal: Terminal, onSearch: () => void): void {
  const scrolls: Readonly<Record<string, () => void>> = {
    ArrowUp: () => terminal.scrollLines(-1),
    ArrowDown: () => terminal.scrollLines(1),
    PageUp: () => terminal.scrollPages(-1),
    PageDown: () => terminal.scrollPages(1),
    Home: () => terminal.scrollToTop(),
    End: () => terminal.scrollToBottom(),
  };
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return false;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      onSearch();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey && scrolls[event.key] !== undefined) {
      event.preventDefault();
      scrolls[event.key]?.();
    }
    return false;
  });
}
