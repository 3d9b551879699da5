import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { parsePlace, visibleBounds, type WindowPlace } from './window-place.ts';

const usual = { width: 1440, height: 900 } as const;
/** So long the window must stand still before its place is kept. */
const stillMs = 500;

/** Where the window stood last, as far as that place still exists; else the usual size, placed by the system. */
export function readWindowState(file: string): { bounds: Partial<Rectangle>; maximised: boolean } {
  const kept = parsePlace(read(file));
  if (kept === null) return { bounds: usual, maximised: false };
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return { bounds: visibleBounds(kept.bounds, areas), maximised: kept.maximised };
}

/** Keeps where the window stands each time that it was moved or closed. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  const keep = (): void => {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const place: WindowPlace = { bounds: window.getNormalBounds(), maximised: window.isMaximized() };
    const draft = `${file}.draft`;
    writeFileSync(draft, JSON.stringify(place), { mode: 0o600 });
    renameSync(draft, file);
  };
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, stillMs);
  };
  window.on('resize', later).on('move', later);
  window.on('close', () => {
    clearTimeout(timer);
    keep();
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
