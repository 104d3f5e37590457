/** One block of the KV cache: room for the K/V of `blockTokens` tokens. */
export interface Block {
  readonly index: number;
  /** How many sequences hold it. At 0 it stands in the free queue. */
  references: number;
  /** Chain hash of its content while it can be found; kept after release, until it is evicted. */
  hash: number | undefined;
  /** The next block that was found to hold the same content. */
  twin: Block | undefined;
  before: Block | undefined;
  after: Block | undefined;
}

/** Blocks nobody holds, next to be evicted first. Linked, so that a prefix hit takes one from the middle at once. */
export class FreeQueue {
  #head: Block | undefined;
  #tail: Block | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(block: Block): void {
    block.before = this.#tail;
    block.after = undefined;
    if (this.#tail === undefined) this.#head = block;
    else this.#tail.after = block;
    this.#tail = block;
    this.#size += 1;
  }

  remove(block: Block): void {
    if (block.before === undefined) this.#head = block.after;
    else block.before.after = block.after;
    if (block.after === undefined) this.#tail = block.before;
    else block.after.before = block.before;
    block.before = undefined;
    block.after = undefined;
    this.#size -= 1;
  }

  takeHead(): Block | undefined {
    const head = this.#head;
    if (head !== undefined) this.remove(head);
    return head;
  }
}
