/** A chunk from here on costs more to copy than to hold. */
const LARGE_BYTES = 16_384;
const BLOCK_BYTES = 65_536;

/**
 * Bytes that come in chunks, held until they are wanted in one piece. The sender decides how they are cut: small
 * chunks are copied together, since each one held as it came would cost a hundred times its bytes, in its object and
 * in the memory that it is a view of.
 */
export class ByteBlocks {
  #whole: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  /** Bytes in use of the block. */
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (chunk.byteLength >= LARGE_BYTES) {
      this.#endBlock();
      this.#whole.push(chunk);
    } else if (chunk.byteLength > 0) this.#copy(chunk);
  }

  /** All of it in one piece; it is still held. */
  whole(): Buffer {
    this.#endBlock();
    if (this.#whole.length !== 1) this.#whole = [Buffer.concat(this.#whole, this.#size)];
    const [only = Buffer.alloc(0)] = this.#whole;
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  }

  clear(): void {
    this.#whole = [];
    this.#block = undefined;
    this.#used = 0;
    this.#size = 0;
  }

  #copy(chunk: Uint8Array): void {
    if (this.#block !== undefined && this.#used + chunk.byteLength > this.#block.byteLength) this.#endBlock();
    // As much again as there is: what comes in one chunk takes no more than its bytes.
    this.#block ??= new Uint8Array(Math.min(this.#size, BLOCK_BYTES));
    this.#block.set(chunk, this.#used);
    this.#used += chunk.byteLength;
  }

  #endBlock(): void {
    if (this.#block !== undefined) {
      // Between two large chunks a block may have taken one byte.
      const isFull = this.#used * 2 > this.#block.byteLength;
      this.#whole.push(isFull ? this.#block.subarray(0, this.#used) : this.#block.slice(0, this.#used));
    }
    this.#block = undefined;
    this.#used = 0;
  }
}
