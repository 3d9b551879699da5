import type { OperationId } from '../core/index.ts';
import { pauseUntil } from './pause.ts';

/** Ends the wait of each operation that is between two tries. */
const waits = new Map<OperationId, AbortController>();

/** Resolves after `ms` milliseconds, or as soon as a person asks. Rejects with the signal's reason when that is aborted. */
export async function waitToRetry(id: OperationId, ms: number, signal: AbortSignal): Promise<void> {
  const asked = new AbortController();
  waits.set(id, asked);
  try {
    await pauseUntil(Date.now() + ms, AbortSignal.any([signal, asked.signal]));
  } catch {
    signal.throwIfAborted();
  } finally {
    waits.delete(id);
  }
}

export function retryNow(id: OperationId): void {
  waits.get(id)?.abort();
}
