const longestTimer = 2 ** 31 - 1;

/** Resolves at a time (milliseconds since 1970); rejects with the signal's reason when that is aborted before. */
export async function pauseUntil(time: number, signal: AbortSignal | null): Promise<void> {
  for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
    await new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(done, Math.min(left, longestTimer));
      signal?.addEventListener('abort', abort, { once: true });
      function done(): void {
        signal?.removeEventListener('abort', abort);
        resolve();
      }
      function abort(): void {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      }
    });
  }
}
