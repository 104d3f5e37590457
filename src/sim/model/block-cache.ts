import type { BlockWatch } from './block-watch.ts';
import { type Block, FreeQueue } from './free-queue.ts';

/**
 * The paged KV cache as vLLM v1 keeps it: blocks with reference counts, findable by the chain hash
 * of their content also after release, until they reach the head of the free queue and are reused.
 */
export class BlockCache {
  readonly totalBlocks: number;
  readonly #free = new FreeQueue();
  /** The oldest findable block of each content; the others hang on it as twins. */
  readonly #byHash = new Map<number, Block>();
  readonly #watch: BlockWatch | undefined;

  constructor(totalBlocks: number, watch?: BlockWatch) {
    if (!Number.isInteger(totalBlocks) || totalBlocks < 1) {
      throw new RangeError(`a KV cache needs at least one block, not ${totalBlocks}`);
    }
    this.totalBlocks = totalBlocks;
    this.#watch = watch;
    for (let index = 0; index < totalBlocks; index += 1) {
      this.#free.append({
        index,
        references: 0,
        hash: undefined,
        twin: undefined,
        before: undefined,
        after: undefined,
      });
    }
  }

  get freeBlocks(): number {
    return this.#free.size;
  }

  /** Blocks some sequence holds, a shared one counted once. Released ones that can still be found are free. */
  get usedBlocks(): number {
    return this.totalBlocks - this.#free.size;
  }

  /** The longest run of leading hashes that can be found, at most `limit` blocks. Takes nothing. */
  lookup(hashes: readonly number[], limit: number): readonly Block[] {
    const found: Block[] = [];
    for (const hash of hashes) {
      const block = found.length < limit ? this.#byHash.get(hash) : undefined;
      if (block === undefined) break;
      found.push(block);
    }
    return found;
  }

  /**
   * Holds the `cached` blocks of a lookup and `freshBlocks` more, evicting from the head of the free queue,
   * and leaves at least `keepFreeBlocks`. All of it or, when it does not fit, nothing: `undefined`.
   */
  acquire(cached: readonly Block[], freshBlocks: number, keepFreeBlocks = 0): Block[] | undefined {
    const revived = cached.reduce((count, block) => count + (block.references === 0 ? 1 : 0), 0);
    if (revived + freshBlocks > this.#free.size - keepFreeBlocks) return undefined;
    // Before any eviction, or the fresh ones could evict what was found.
    for (const block of cached) {
      if (block.references === 0) this.#free.remove(block);
      block.references += 1;
      this.#watch?.used(block.index);
    }
    const held = [...cached];
    while (held.length < cached.length + freshBlocks) {
      const block = this.#free.takeHead();
      if (block === undefined) break;
      this.#watch?.evicted(block.index);
      this.#forget(block);
      this.#watch?.taken(block.index);
      block.references = 1;
      held.push(block);
    }
    return held;
  }

  /** Makes a full block findable. Two blocks may hold the same content: the second is found once the first is gone. */
  publish(block: Block, hash: number): void {
    block.hash = hash;
    const first = this.#byHash.get(hash);
    if (first === undefined) {
      this.#byHash.set(hash, block);
      return;
    }
    let last = first;
    while (last.twin !== undefined) last = last.twin;
    last.twin = block;
  }

  /** Gives a sequence's blocks back, last first: its tail is evicted before the head that others may share. */
  release(blocks: readonly Block[]): void {
    for (let at = blocks.length - 1; at >= 0; at -= 1) {
      const block = blocks[at];
      if (block === undefined) continue;
      block.references -= 1;
      if (block.references === 0) this.#free.append(block);
    }
  }

  #forget(block: Block): void {
    if (block.hash === undefined) return;
    const first = this.#byHash.get(block.hash);
    if (first === block) {
      if (block.twin === undefined) this.#byHash.delete(block.hash);
      else this.#byHash.set(block.hash, block.twin);
    } else {
      let before = first;
      while (before !== undefined && before.twin !== block) before = before.twin;
      if (before !== undefined) before.twin = block.twin;
    }
    block.hash = undefined;
    block.twin = undefined;
  }
}
