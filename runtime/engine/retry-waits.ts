import type { OperationId } from '../core/index.ts';

/** Which operations wait for their next try, as far as the relay's frames tell. */
export class RetryWaits {
  /** When each goes on by itself, milliseconds since 1970. */
  readonly #until = new Map<OperationId, number>();

  /** A try failed. `until` null: it was the last one. */
  failed(id: OperationId, until: number | null): void {
    if (until === null) this.#until.delete(id);
    else this.#until.set(id, until);
  }

  /** The wait is cut short; false when the operation does not wait. */
  cut(id: OperationId, now: number): boolean {
    const waits = (this.#until.get(id) ?? 0) > now;
    this.#until.delete(id);
    return waits;
  }
}
