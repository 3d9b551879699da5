const names = [
  ...(['page', 'panel', 'raised', 'line', 'ink', 'quiet', 'accent'] as const),
  ...(['done', 'reused', 'open', 'uncertain', 'failed', 'kill', 'waiting'] as const),
] as const;
export type Colours = Readonly<Record<(typeof names)[number], string>> & { readonly font: string };

/** The page's colours as they are now, for a canvas, which knows no variables. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...(colours as Record<(typeof names)[number], string>), font: getComputedStyle(document.body).fontFamily };
}

/** Calls when the page changes between light and dark. */
export function onTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', listener);
  };
}

const patterns = new Map<string, CanvasPattern>();

/** Slanted lines of a colour. */
export function hatching(context: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const known = patterns.get(colour);
  if (known !== undefined) return known;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const pen = tile.getContext('2d');
  if (pen === null) return colour;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const shift of [-8, 0, 8]) {
    pen.moveTo(shift, 8);
    pen.lineTo(shift + 8, 0);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  if (pattern === null) return colour;
  patterns.set(colour, pattern);
  return pattern;
}
