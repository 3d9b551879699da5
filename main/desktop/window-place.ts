import type { Rectangle } from 'electron';

/** Where a window stands, in the system's own pixels. */
export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly maximised: boolean;
}

/** So much of the window, each way, must be on a display that still is there. */
const visiblePx = 100;
const smallest = { width: 400, height: 300 } as const;

/** A place as it was kept. Null for what is no place: where a window stands is worth no error. */
export function parsePlace(text: string): WindowPlace | null {
  let kept: Partial<WindowPlace> | null;
  try {
    kept = JSON.parse(text) as Partial<WindowPlace> | null;
  } catch {
    return null;
  }
  const bounds = kept?.bounds ?? null;
  if (bounds === null || typeof kept?.maximised !== 'boolean') return null;
  const { x, y, width, height } = bounds;
  if (![x, y, width, height].every(Number.isInteger)) return null;
  if (width < smallest.width || height < smallest.height) return null;
  return { bounds: { x, y, width, height }, maximised: kept.maximised };
}

/** The bounds as they were, no larger than the display they are on; only their size when they are on none any more. */
export function visibleBounds(bounds: Rectangle, areas: readonly Rectangle[]): Partial<Rectangle> {
  const { x, y, width, height } = bounds;
  const area = areas.find((one) => {
    const across = Math.min(x + width, one.x + one.width) - Math.max(x, one.x);
    const down = Math.min(y + height, one.y + one.height) - Math.max(y, one.y);
    return across >= visiblePx && down >= visiblePx;
  });
  if (area === undefined) return { width, height };
  return { x, y, width: Math.min(width, area.width), height: Math.min(height, area.height) };
}
