import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';

interface WindowState {
  readonly bounds: Rectangle;
  readonly maximised: boolean;
}

const usual = { width: 1440, height: 900 } as const;
/** So much of the window must be on a display that still is there. */
const visiblePx = 100;

/** Where the window stood last, as far as that place still exists; else the usual size, placed by the system. */
export function readWindowState(file: string): { bounds: Partial<Rectangle>; maximised: boolean } {
  const kept = parse(file);
  if (kept === null) return { bounds: usual, maximised: false };
  const { x, y, width, height } = kept.bounds;
  const isVisible = screen.getAllDisplays().some(({ workArea }) => {
    const across = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
    const down = Math.min(y + height, workArea.y + workArea.height) - Math.max(y, workArea.y);
    return across >= visiblePx && down >= visiblePx;
  });
  return { bounds: isVisible ? kept.bounds : { width, height }, maximised: kept.maximised };
}

/** Keeps where the window stands each time that it was moved or closed. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  const keep = (): void => {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const state: WindowState = { bounds: window.getNormalBounds(), maximised: window.isMaximized() };
    const draft = `${file}.draft`;
    writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
    renameSync(draft, file);
  };
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, 500);
  };
  window.on('resize', later).on('move', later);
  window.on('close', () => {
    clearTimeout(timer);
    keep();
  });
}

/** Null for a file that is not there or holds something else: a window's place is worth no error. */
function parse(file: string): WindowState | null {
  try {
    const { bounds, maximised } = JSON.parse(readFileSync(file, 'utf8')) as Partial<WindowState>;
    const { x, y, width, height } = bounds ?? {};
    if (![x, y, width, height].every(Number.isInteger) || typeof maximised !== 'boolean') return null;
    const whole = bounds as Rectangle;
    return whole.width < 400 || whole.height < 300 ? null : { bounds: whole, maximised };
  } catch {
    return null;
  }
}
