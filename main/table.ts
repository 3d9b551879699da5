import { stripVTControlCharacters } from 'node:util';

const gap = '  ';

/** Rows as aligned lines. The last column is left as long as it is. Cells may hold colours. */
export function table(rows: readonly (readonly string[])[], indent = ''): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, width(cell))));
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell)),
    );
    return (indent + cells.join(gap)).trimEnd();
  });
}

function width(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

/** A text cut to a length, with a mark where it was cut. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** A span of time for people: `12 ms`, `3.4 s`, `5 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}
