/** The last `capacity` values pushed, oldest first; memory stays the same however long it runs. */
export class Ring<T> {
  readonly #slots: T[] = [];
  readonly #capacity: number;
  #next = 0;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError(`ring capacity ${capacity}`);
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#slots.length;
  }

  push(value: T): void {
    this.#slots[this.#next] = value;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  toArray(): T[] {
    return this.#slots.length < this.#capacity
      ? [...this.#slots]
      : [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)];
  }
}
