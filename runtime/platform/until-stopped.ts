interface Stopping<T> {
  /** Called once when the signal comes first; what it gives is what the promise rejects with. */
  readonly stop: () => Error;
  /** Takes a value that comes after that. An error that comes after is dropped: it says nothing about the world. */
  readonly late: (value: T) => void;
}

/** The value, unless the signal comes first: then it rejects at once, and the value is late. */
export function untilStopped<T>(value: Promise<T>, signal: AbortSignal, { stop, late }: Stopping<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isStopped = false;
    const onAbort = (): void => {
      isStopped = true;
      reject(stop());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    value
      .then(
        (given) => (isStopped ? late(given) : resolve(given)),
        (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * A signal that follows another until it is let go. Libraries keep listening to the signal they were given: one that
 * lives on would tell them of the end of what was done long ago.
 */
export function followSignal(source: AbortSignal): { readonly signal: AbortSignal; readonly letGo: () => void } {
  const follower = new AbortController();
  const follow = (): void => follower.abort(source.reason);
  if (source.aborted) follow();
  source.addEventListener('abort', follow, { once: true });
  return { signal: follower.signal, letGo: () => source.removeEventListener('abort', follow) };
}
