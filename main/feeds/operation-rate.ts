/** Over as long a time the rate is taken, in slots of one length. Milliseconds. */
const windowMs = 2000;
const slotMs = 200;
const slots = windowMs / slotMs;

/** How many operations were checkpointed a second, over the last two seconds. */
export class OperationRate {
  readonly #counts = new Array<number>(slots).fill(0);
  /** Number of the slot that is being filled, counted from the beginning of time. */
  #slot = 0;

  count(now: number): void {
    this.#moveTo(now);
    const at = this.#slot % slots;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  perSecond(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0) / (windowMs / 1000);
  }

  #moveTo(now: number): void {
    // A clock that was set back counts on in the slot where it was.
    const slot = Math.max(this.#slot, Math.floor(now / slotMs));
    const passed = Math.min(slots, slot - this.#slot);
    for (let back = 0; back < passed; back += 1) this.#counts[(slot - back) % slots] = 0;
    this.#slot = slot;
  }
}
