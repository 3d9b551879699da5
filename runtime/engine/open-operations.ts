import type { OperationId } from '../core/index.ts';

interface NamedOperation {
  readonly id: OperationId;
  readonly name: string;
}

/**
 * The operations that an attempt has asked for and that are not answered yet. Keeps the run's state true to them: it is
 * `waiting` while it waits for a message or a person and nothing else of it is open. Moves are made one after the other.
 */
export class OpenOperations {
  readonly #move: (to: 'running' | 'waiting', reason: string | null) => Promise<void>;
  readonly #names = new Map<OperationId, string>();
  /** What each waiting operation waits for. */
  readonly #waits = new Map<OperationId, string>();
  #state: 'running' | 'waiting' = 'running';
  #moves: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(move: (to: 'running' | 'waiting', reason: string | null) => Promise<void>) {
    this.#move = move;
  }

  open(operation: NamedOperation): void {
    this.#names.set(operation.id, operation.name);
    this.#follow();
  }

  close(id: OperationId): void {
    this.#names.delete(id);
    this.#waits.delete(id);
    this.#follow();
  }

  has(id: OperationId): boolean {
    return this.#names.has(id);
  }

  /** In no order. */
  all(): readonly NamedOperation[] {
    return [...this.#names].map(([id, name]) => ({ id, name }));
  }

  named(id: OperationId): NamedOperation {
    return { id, name: this.#names.get(id) ?? '' };
  }

  beginWait(id: OperationId, waitsFor: string): void {
    this.#waits.set(id, waitsFor);
    this.#follow();
  }

  endWait(id: OperationId): void {
    if (this.#waits.delete(id)) this.#follow();
  }

  /** Nothing waits any more: resolves when the run is `running` again, unless somebody else moved it. */
  async settle(): Promise<void> {
    this.#waits.clear();
    this.#follow();
    await this.#moves;
  }

  /** Makes no move from now on. */
  end(): void {
    this.#ended = true;
  }

  #follow(): void {
    const waits = this.#waits.size > 0 && this.#names.size <= this.#waits.size;
    const wanted = waits ? 'waiting' : 'running';
    if (this.#ended || wanted === this.#state) return;
    this.#state = wanted;
    const reason = waits ? [...this.#waits.values()].join('; ') : null;
    // Refused when the run was moved by somebody else meanwhile (cancel): that move holds.
    this.#moves = this.#moves.then(() => this.#move(wanted, reason)).catch(() => {});
  }
}
