import type { EngineState } from './engine.ts';
import type { EngineEvent } from './engine-event.ts';
import {
  blockHashes,
  draftLimit,
  lackingTokens,
  mostTokens,
  type Sequence,
  totalTokens,
} from './sequence.ts';

/** One sequence's part of a step. */
export interface Share {
  readonly sequence: Sequence;
  /** Drafts included. */
  readonly tokens: number;
  readonly draftTokens: number;
}

/**
 * Decides what the next step computes, as vLLM v1 does: the running sequences in order, each as many of the
 * tokens it lacks as the budget allows, then the queue in order. There is no separate prefill phase.
 */
export function schedule(state: EngineState, nowMs: number, events: EngineEvent[]): readonly Share[] {
  const batch: Share[] = [];
  const preemptionsBefore = state.counters.preemptions;
  const budget = scheduleRunning(state, nowMs, batch, events);
  // Blocks were just taken from somebody: a newcomer would take them from the sequence they are for.
  if (state.counters.preemptions === preemptionsBefore) scheduleWaiting(state, nowMs, budget, batch, events);
  return batch;
}

/** Returns what is left of the token budget. */
function scheduleRunning(state: EngineState, nowMs: number, batch: Share[], events: EngineEvent[]): number {
  let budget = state.maxBatchedTokens;
  for (let at = 0; at < state.running.length && budget > 0; at += 1) {
    const sequence = state.running[at];
    if (sequence === undefined) break;
    const needed = Math.min(lackingTokens(sequence), budget);
    const draftTokens = Math.min(draftLimit(sequence, state.speculation?.draftTokens ?? 0), budget - needed);
    const tokens = needed + draftTokens;
    while (!extend(state, sequence, tokens)) {
      // The last one, which may be the sequence itself; never one that is in the batch already.
      const victim = state.running.pop();
      if (victim === undefined) return budget;
      preempt(state, victim, nowMs, events);
      if (victim === sequence) return budget;
    }
    batch.push({ sequence, tokens, draftTokens });
    budget -= tokens;
  }
  return budget;
}

/** Strictly in order: the first that does not fit stops the rest, so that a long request is never overtaken for ever. */
function scheduleWaiting(
  state: EngineState,
  nowMs: number,
  leftBudget: number,
  batch: Share[],
  events: EngineEvent[],
): void {
  let budget = leftBudget;
  while (budget > 0 && state.running.length < state.maxSeqs) {
    const sequence = state.waiting[0];
    if (sequence === undefined || !fitsToItsEnd(state, sequence)) return;
    const queriedTokens = totalTokens(sequence);
    const cachedTokens = start(state, sequence, budget, batch.length > 0 ? state.watermarkBlocks : 0);
    if (cachedTokens === undefined) return;
    state.waiting.shift();
    state.running.push(sequence);
    noteScheduled(state, sequence, nowMs, queriedTokens, cachedTokens, events);
    const tokens = Math.min(lackingTokens(sequence), budget);
    batch.push({ sequence, tokens, draftTokens: 0 });
    budget -= tokens;
  }
}

/** Whether everything that runs, and this one, can grow to its limit at once. Shared blocks count for each. */
function fitsToItsEnd({ admission, running, cache, blockTokens }: EngineState, next: Sequence): boolean {
  if (admission === 'as-fits') return true;
  const blocksOf = (one: Sequence): number => Math.ceil(mostTokens(one) / blockTokens);
  const reserved = running.reduce((sum, one) => sum + blocksOf(one), blocksOf(next));
  // Alone it always starts: a limit beyond the cache ends where the cache does.
  return running.length === 0 || reserved <= cache.totalBlocks;
}

/**
 * Finds the sequence's prefix and takes the blocks of its first chunk.
 * Returns the tokens found, or undefined when the chunk does not fit.
 */
function start(
  state: EngineState,
  sequence: Sequence,
  budget: number,
  keepFreeBlocks: number,
): number | undefined {
  const total = totalTokens(sequence);
  // The last token is always computed: its output is what the next token is drawn from.
  const limit = Math.floor((total - 1) / state.blockTokens);
  const cached = state.cache.lookup(blockHashes(sequence, limit), limit);
  const cachedTokens = cached.length * state.blockTokens;
  const endTokens = cachedTokens + Math.min(total - cachedTokens, budget);
  const freshBlocks = Math.ceil(endTokens / state.blockTokens) - cached.length;
  const blocks = state.cache.acquire(cached, freshBlocks, keepFreeBlocks);
  if (blocks === undefined) return undefined;
  sequence.blocks = blocks;
  sequence.computedTokens = cachedTokens;
  sequence.publishedBlocks = cached.length;
  publish(state, sequence, endTokens);
  return cachedTokens;
}

/** Takes the blocks that `tokens` more need; false when there are too few. */
function extend(state: EngineState, sequence: Sequence, tokens: number): boolean {
  const endTokens = sequence.computedTokens + tokens;
  const freshBlocks = Math.ceil(endTokens / state.blockTokens) - sequence.blocks.length;
  if (freshBlocks > 0) {
    const blocks = state.cache.acquire([], freshBlocks);
    if (blocks === undefined) return false;
    for (const block of blocks) sequence.blocks.push(block);
  }
  // A drafted token may turn out wrong: what it stands in cannot be shared yet.
  publish(state, sequence, Math.min(endTokens, totalTokens(sequence)));
  return true;
}

/** Full blocks can be found from the start of the step that fills them: a later request of the same step hits them. */
function publish(state: EngineState, sequence: Sequence, endTokens: number): void {
  const full = Math.floor(endTokens / state.blockTokens);
  if (full <= sequence.publishedBlocks) return;
  const hashes = blockHashes(sequence, full);
  for (let at = sequence.publishedBlocks; at < full; at += 1) {
    const block = sequence.blocks[at];
    const hash = hashes[at];
    if (block !== undefined && hash !== undefined) state.cache.publish(block, hash);
  }
  sequence.publishedBlocks = full;
}

/** By recompute: only what is in the cache is lost, and its blocks stay findable until they are evicted. */
function preempt(state: EngineState, sequence: Sequence, nowMs: number, events: EngineEvent[]): void {
  state.cache.release(sequence.blocks);
  sequence.blocks = [];
  sequence.computedTokens = 0;
  sequence.waitingSinceMs = nowMs;
  state.waiting.unshift(sequence);
  state.counters.preemptions += 1;
  events.push({ type: 'preempted', atMs: nowMs, id: sequence.spec.id });
}

function noteScheduled(
  state: EngineState,
  sequence: Sequence,
  nowMs: number,
  queriedTokens: number,
  cachedTokens: number,
  events: EngineEvent[],
): void {
  const first = sequence.scheduledAtMs === undefined;
  if (first) {
    sequence.scheduledAtMs = nowMs;
    sequence.cachedTokens = cachedTokens;
    state.counters.queriedTokens += queriedTokens;
    state.counters.cachedTokens += cachedTokens;
  }
  const queuedMs = nowMs - sequence.waitingSinceMs;
  const { id } = sequence.spec;
  events.push({ type: 'scheduled', atMs: nowMs, id, queuedMs, queriedTokens, cachedTokens, first });
}
