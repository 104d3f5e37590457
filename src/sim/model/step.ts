import type { Random } from '../../kit/random.ts';
import { admits, type EngineState } from './engine.ts';
import type { EngineEvent, FinishReason } from './engine-event.ts';
import { type Share, schedule } from './schedule.ts';
import { createSequence, decodes, lackingTokens, type RequestSpec, type Sequence } from './sequence.ts';
import { draftTimeMs, type StepBatch, stepTimeMs } from './step-time.ts';

export interface StepInput {
  /** Requests that came since the last step, in order. Each must pass `admits`. */
  readonly arrivals: readonly RequestSpec[];
  /** Ids whose clients left since the last step; one the engine no longer has is ignored. */
  readonly aborts: readonly string[];
  /** The caller's clock at the start of the step. */
  readonly nowMs: number;
}

export interface StepResult {
  /**
   * The state that was passed in, changed in place. It describes the END of the step: like vLLM, a server shows
   * the numbers from before until `elapsedMs` have passed.
   */
  readonly state: EngineState;
  /** How long the step takes; 0 when there was nothing to compute. */
  readonly elapsedMs: number;
  readonly events: readonly EngineEvent[];
}

/**
 * One step of the engine: arrivals join the queue, aborted requests leave, a batch is put together and computed.
 * No clock, no I/O: the same seed and the same inputs give the same events.
 *
 * Throws a RangeError, with nothing changed, on an arrival that can never fit or whose id is taken.
 */
export function step(state: EngineState, input: StepInput): StepResult {
  checkArrivals(state, input.arrivals);
  const events: EngineEvent[] = [];
  state.watch?.at(input.nowMs);
  for (const spec of input.arrivals) enqueue(state, spec, input.nowMs, events);
  for (const id of input.aborts) abort(state, id, input.nowMs, events);

  const batch = schedule(state, input.nowMs, events);
  events.push(...(state.watch?.drain() ?? []));
  if (batch.length === 0) return { state, elapsedMs: 0, events };

  const shape = shapeOf(batch);
  const workMs = stepTimeMs(state.profile, shape) + draftTimeMs(state.profile, batch);
  const elapsedMs = workMs * noiseFactor(state.noise, state.random);
  const endMs = input.nowMs + elapsedMs;
  const done = complete(state, batch, endMs, events);
  events.push({
    type: 'step',
    atMs: endMs,
    ...done,
    batchSequences: shape.sequences,
    batchTokens: shape.tokens,
  });
  state.counters.steps += 1;
  state.counters.busyMs += elapsedMs;
  return { state, elapsedMs, events };
}

function checkArrivals(state: EngineState, arrivals: readonly RequestSpec[]): void {
  const ids = new Set<string>();
  for (const spec of arrivals) {
    const { id, promptTokens, outputTokens } = spec;
    const about = `request ${JSON.stringify(id)}`;
    if (state.byId.has(id) || ids.has(id)) throw new RangeError(`${about} is in the engine already`);
    if (!Number.isInteger(promptTokens) || promptTokens < 1) {
      throw new RangeError(`${about} has ${promptTokens} prompt tokens: at least 1 is needed`);
    }
    if (!Number.isInteger(outputTokens) || outputTokens < 0) {
      throw new RangeError(`${about} has ${outputTokens} output tokens: a whole number from 0 is needed`);
    }
    if (admits(state, spec) !== undefined) {
      throw new RangeError(`${about} can never fit: ask admits() before step()`);
    }
    ids.add(id);
  }
}

function enqueue(state: EngineState, spec: RequestSpec, nowMs: number, events: EngineEvent[]): void {
  const sequence = createSequence(spec, state.nextSerial, nowMs);
  state.nextSerial += 1;
  state.byId.set(spec.id, sequence);
  state.waiting.push(sequence);
  events.push({ type: 'queued', atMs: nowMs, id: spec.id });
}

function abort(state: EngineState, id: string, nowMs: number, events: EngineEvent[]): void {
  const sequence = state.byId.get(id);
  if (sequence === undefined) return;
  for (const list of [state.running, state.waiting]) {
    const at = list.indexOf(sequence);
    if (at >= 0) list.splice(at, 1);
  }
  finish(state, sequence, 'abort', nowMs, events);
}

function shapeOf(batch: readonly Share[]): StepBatch {
  let tokens = 0;
  let decodeContextTokens = 0;
  let prefillPairs = 0;
  for (const share of batch) {
    const before = share.sequence.computedTokens;
    tokens += share.tokens;
    if (decodes(share.sequence)) decodeContextTokens += before + 1;
    else prefillPairs += share.tokens * (before + share.tokens / 2);
  }
  return { sequences: batch.length, tokens, decodeContextTokens, prefillPairs };
}

/** Log-normal with mean 1, so that noise changes no average. */
function noiseFactor(sigma: number, random: Random): number {
  if (sigma === 0) return 1;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(sigma * normal - (sigma * sigma) / 2);
}

/** The end of the step: whoever has all its tokens computed generates one. */
function complete(
  state: EngineState,
  batch: readonly Share[],
  endMs: number,
  events: EngineEvent[],
): { readonly computedTokens: number; readonly generatedTokens: number } {
  let computedTokens = 0;
  let generatedTokens = 0;
  let someFinished = false;
  for (const { sequence, tokens, draftTokens } of batch) {
    if (!decodes(sequence)) computedTokens += tokens;
    sequence.computedTokens += tokens - draftTokens;
    if (lackingTokens(sequence) > 0) continue;
    if (sequence.generatedTokens === 0) notePrefilled(state, sequence, endMs, events);
    if (sequence.spec.outputTokens > 0) {
      generatedTokens += generate(state, sequence, draftTokens, endMs, events);
    }
    if (sequence.generatedTokens < sequence.spec.outputTokens) continue;
    finish(state, sequence, sequence.spec.finishReason, endMs, events);
    someFinished = true;
  }
  if (someFinished) state.running = state.running.filter(({ spec }) => state.byId.has(spec.id));
  state.counters.computedTokens += computedTokens;
  state.counters.generatedTokens += generatedTokens;
  return { computedTokens, generatedTokens };
}

function notePrefilled(state: EngineState, sequence: Sequence, endMs: number, events: EngineEvent[]): void {
  const { id, promptTokens } = sequence.spec;
  state.counters.promptTokens += promptTokens;
  events.push({
    type: 'prefilled',
    atMs: endMs,
    id,
    promptTokens,
    cachedTokens: sequence.cachedTokens,
    prefillMs: endMs - (sequence.scheduledAtMs ?? endMs),
  });
}

/** One token, and as many of the drafted ones before it as are accepted. Returns how many. */
function generate(
  state: EngineState,
  sequence: Sequence,
  draftedTokens: number,
  endMs: number,
  events: EngineEvent[],
): number {
  const firstToken = sequence.generatedTokens === 0;
  const accepted = acceptedOf(state, draftedTokens);
  const count = accepted + 1;
  sequence.generatedTokens += count;
  // The K/V of accepted tokens was computed with them; the newest is computed next.
  sequence.computedTokens += accepted;
  state.counters.draftedTokens += draftedTokens;
  state.counters.acceptedTokens += accepted;
  events.push({ type: 'tokens', atMs: endMs, id: sequence.spec.id, count, firstToken, draftedTokens });
  return count;
}

/** The first that is refused ends them. */
function acceptedOf({ speculation, random }: EngineState, draftedTokens: number): number {
  let accepted = 0;
  while (accepted < draftedTokens && random() < (speculation?.acceptance ?? 0)) accepted += 1;
  return accepted;
}

const FINISH_COUNTERS = {
  stop: 'finishedStop',
  length: 'finishedLength',
  abort: 'finishedAbort',
  error: 'finishedError',
} as const;

function finish(
  state: EngineState,
  sequence: Sequence,
  reason: FinishReason,
  atMs: number,
  events: EngineEvent[],
): void {
  state.cache.release(sequence.blocks);
  sequence.blocks = [];
  state.byId.delete(sequence.spec.id);
  state.counters[FINISH_COUNTERS[reason]] += 1;
  events.push({
    type: 'finished',
    atMs,
    id: sequence.spec.id,
    reason,
    promptTokens: sequence.spec.promptTokens,
    outputTokens: sequence.generatedTokens,
    cachedTokens: sequence.cachedTokens,
  });
}
