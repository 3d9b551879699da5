let last: Promise<void> = Promise.resolve();

/** Resolves when the platform calls before this one have ended; the function that it gives ends this turn. */
export async function takeTurn(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  await before;
  return resolve;
}
