import type { Random } from '../../kit/random.ts';
import type { EvictedEvent } from './engine-event.ts';

interface Watched {
  readonly bornMs: number;
  usedMs: number;
  /** The last few uses by a prefix hit, oldest first. */
  readonly uses: number[];
}

/** vLLM remembers so many uses of a block. */
const MAX_USES = 4;

/**
 * Follows a sample of the cache's blocks from the moment they are taken until their room is given to others, as
 * vLLM's `--kv-cache-metrics` does (`vllm/v1/core/kv_cache_metrics.py`). Being taken is no use: only a hit is.
 */
export class BlockWatch {
  readonly #share: number;
  readonly #random: Random;
  readonly #watched = new Map<number, Watched>();
  #nowMs = 0;
  #evicted: EvictedEvent[] = [];

  /** @param share of the blocks that are followed, 0 to 1; vLLM's default is 0.01 */
  constructor(share: number, random: Random) {
    this.#share = share;
    this.#random = random;
  }

  /** What happens from here on happens at this moment. */
  at(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  taken(block: number): void {
    if (this.#random() >= this.#share) return;
    this.#watched.set(block, { bornMs: this.#nowMs, usedMs: this.#nowMs, uses: [] });
  }

  used(block: number): void {
    const watched = this.#watched.get(block);
    if (watched === undefined) return;
    watched.usedMs = this.#nowMs;
    watched.uses.push(this.#nowMs);
    if (watched.uses.length > MAX_USES) watched.uses.shift();
  }

  evicted(block: number): void {
    const watched = this.#watched.get(block);
    if (watched === undefined) return;
    this.#watched.delete(block);
    const { bornMs, usedMs, uses } = watched;
    this.#evicted.push({
      type: 'evicted',
      atMs: this.#nowMs,
      lifetimeMs: this.#nowMs - bornMs,
      idleMs: this.#nowMs - usedMs,
      reuseGapsMs: uses.slice(1).map((useMs, before) => useMs - (uses[before] ?? useMs)),
    });
  }

  /** The evictions since the last call. */
  drain(): readonly EvictedEvent[] {
    const evicted = this.#evicted;
    this.#evicted = [];
    return evicted;
  }
}
