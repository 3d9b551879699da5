/** The middle of the values; of two middles the upper. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export interface Figure {
  readonly name: string;
  /** The measured value with its unit. */
  readonly measured: string;
  /** What it is held against, with its unit. */
  readonly against: string;
  /** What is asked for. */
  readonly target: string;
  readonly met: boolean;
}

export function show(figure: Figure): void {
  console.log(`${figure.met ? '✓' : '✗'} ${figure.name}`);
  console.log(`    ${figure.measured}; ${figure.against}; target ${figure.target}`);
}
