/** `attempt 1`, `attempts 1, 3`, `attempts 1–4, 7`. */
export function attemptWords(attempts: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const attempt of attempts.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && attempt <= last[1] + 1) last[1] = attempt;
    else ranges.push([attempt, attempt]);
  }
  const words = ranges.map(([first, last]) =>
    first === last ? String(first) : last === first + 1 ? `${first}, ${last}` : `${first}–${last}`,
  );
  return `${attempts.length === 1 ? 'attempt' : 'attempts'} ${words.join(', ')}`;
}
