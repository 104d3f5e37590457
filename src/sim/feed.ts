/** A queue between one writer and one reader: values wait until they are taken, in order. */
export class Feed<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #ended = false;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake();
  }

  /** What was pushed before is still read; after it the reader ends, or fails with `failure`. */
  end(failure?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const value = this.#values.shift();
      if (value !== undefined) yield value;
      else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
