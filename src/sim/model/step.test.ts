import { expect, test } from 'vitest';
import { eventsOf, request, runEngine, shippedProfile } from '../../../test/kit/run-engine.ts';
import { admits, createEngine, type EngineSettings, hasWork } from './engine.ts';
import type { RequestSpec } from './sequence.ts';
import { sequencesOf, snapshotOf } from './snapshot.ts';
import { step } from './step.ts';
import { stepTimeMs } from './step-time.ts';

const profile = shippedProfile('llama-3-8b-h100');

function engine(settings: Partial<EngineSettings> = {}) {
  return createEngine({ profile, seed: 1, ...settings });
}

function at(atMs: number, spec: RequestSpec) {
  return { atMs, spec };
}

/** The time of a step that only prefills. */
function prefillMs(tokens: number, after = 0): number {
  return stepTimeMs(profile, {
    sequences: 1,
    tokens,
    decodeContextTokens: 0,
    prefillPairs: tokens * (after + tokens / 2),
  });
}

test('an idle engine takes no time and says nothing', () => {
  const state = engine();
  expect(hasWork(state)).toBe(false);
  const { elapsedMs, events } = step(state, { arrivals: [], aborts: ['unknown'], nowMs: 5 });
  expect(elapsedMs).toBe(0);
  expect(events).toEqual([]);
  expect(snapshotOf(state)).toMatchObject({ running: 0, waiting: 0, kvUsage: 0 });
});

test('the first token of a lone request comes at the end of its prefill, not before', () => {
  const state = engine({ maxBatchedTokens: 8_192 });
  const events = runEngine(state, { arrivals: [at(1_000, request('a', 20_000, 3))] });
  const expectedMs = prefillMs(8_192) + prefillMs(8_192, 8_192) + prefillMs(3_616, 16_384);
  const tokens = eventsOf(events, 'tokens');
  expect(tokens.map(({ firstToken }) => firstToken)).toEqual([true, false, false]);
  expect(tokens[0]?.atMs).toBeCloseTo(1_000 + expectedMs, 6);
  expect(eventsOf(events, 'step').map(({ computedTokens }) => computedTokens)).toEqual([
    8_192, 8_192, 3_616, 0, 0,
  ]);
  expect(eventsOf(events, 'prefilled')).toMatchObject([{ promptTokens: 20_000, cachedTokens: 0 }]);
  expect(eventsOf(events, 'prefilled')[0]?.prefillMs).toBeCloseTo(expectedMs, 6);
});

test('a decode step reads the context of its sequence, the newest token included', () => {
  const events = runEngine(engine(), { arrivals: [at(0, request('a', 100, 2))] });
  const [first, second] = eventsOf(events, 'tokens');
  const decodeMs = stepTimeMs(profile, {
    sequences: 1,
    tokens: 1,
    decodeContextTokens: 101,
    prefillPairs: 0,
  });
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeCloseTo(decodeMs, 9);
});

test('the events of one request come in order, with its start and its end', () => {
  const { events } = step(engine(), { arrivals: [request('a', 10, 1)], aborts: [], nowMs: 7 });
  const endMs = 7 + prefillMs(10);
  expect(events).toEqual([
    { type: 'queued', atMs: 7, id: 'a' },
    { type: 'scheduled', atMs: 7, id: 'a', queuedMs: 0, queriedTokens: 10, cachedTokens: 0, first: true },
    { type: 'prefilled', atMs: endMs, id: 'a', promptTokens: 10, cachedTokens: 0, prefillMs: endMs - 7 },
    { type: 'tokens', atMs: endMs, id: 'a', count: 1, firstToken: true, draftedTokens: 0 },
    {
      type: 'finished',
      atMs: endMs,
      id: 'a',
      reason: 'stop',
      promptTokens: 10,
      outputTokens: 1,
      cachedTokens: 0,
    },
    {
      type: 'step',
      atMs: endMs,
      computedTokens: 10,
      generatedTokens: 1,
      batchSequences: 1,
      batchTokens: 10,
    },
  ]);
});

test('an abort frees the blocks of a waiting, a prefilling and a decoding request at once', () => {
  const state = engine({ maxBatchedTokens: 1_000, maxSeqs: 2 });
  const arrivals = [request('decoding', 500, 9), request('prefilling', 5_000, 9), request('waiting', 50, 9)];
  step(state, { arrivals, aborts: [], nowMs: 0 });
  expect(sequencesOf(state).map(({ phase }) => phase)).toEqual(['decoding', 'prefilling', 'waiting']);
  expect(snapshotOf(state)).toMatchObject({ kvBlocksUsed: 32 + 32, kvTokensUsed: 1_024 });

  const waiting = step(state, { arrivals: [], aborts: ['waiting'], nowMs: 50 });
  expect(waiting.events[0]).toEqual({
    type: 'finished',
    atMs: 50,
    id: 'waiting',
    reason: 'abort',
    promptTokens: 50,
    outputTokens: 0,
    cachedTokens: 0,
  });
  const decoding = step(state, { arrivals: [], aborts: ['decoding'], nowMs: 100 });
  expect(eventsOf(decoding.events, 'finished')).toMatchObject([
    { id: 'decoding', reason: 'abort', outputTokens: 2 },
  ]);
  expect(eventsOf(decoding.events, 'tokens')).toHaveLength(0);

  const prefilling = step(state, { arrivals: [], aborts: ['prefilling', 'prefilling'], nowMs: 150 });
  expect(prefilling.elapsedMs).toBe(0);
  expect(prefilling.events).toMatchObject([{ type: 'finished', reason: 'abort', outputTokens: 0 }]);
  expect(hasWork(state)).toBe(false);
  expect(snapshotOf(state)).toMatchObject({ running: 0, waiting: 0, kvUsage: 0 });
  expect(snapshotOf(state).counters).toMatchObject({ finishedAbort: 3, finishedStop: 0 });
});

test('a request that comes and goes between two steps is queued and aborted, never lost', () => {
  const { elapsedMs, events } = step(engine(), { arrivals: [request('a', 10, 1)], aborts: ['a'], nowMs: 3 });
  expect(elapsedMs).toBe(0);
  expect(events.map(({ type, atMs }) => [type, atMs])).toEqual([
    ['queued', 3],
    ['finished', 3],
  ]);
});

test('an embedding ends with its prefill and generates nothing', () => {
  const state = engine();
  const events = runEngine(state, { arrivals: [at(0, request('e', 700, 0))] });
  expect(events.map(({ type }) => type)).toEqual(['queued', 'scheduled', 'prefilled', 'finished', 'step']);
  expect(snapshotOf(state).counters).toMatchObject({ promptTokens: 700, generatedTokens: 0, steps: 1 });
});

test('the reason a request finishes with is the one it was given', () => {
  const state = engine();
  const events = runEngine(state, {
    arrivals: [at(0, request('a', 10, 2, { finishReason: 'length' })), at(0, request('b', 10, 2))],
  });
  expect(eventsOf(events, 'finished').map(({ reason }) => reason)).toEqual(['length', 'stop']);
  expect(snapshotOf(state).counters).toMatchObject({ finishedLength: 1, finishedStop: 1 });
});

test('a request longer than the cache or the context is told from one that just fits', () => {
  const small = engine({ kvTokens: 100 });
  // Six whole blocks of 16.
  expect(admits(small, request('a', 90, 6))).toBeUndefined();
  expect(admits(small, request('a', 90, 7))).toBe('too-long');
  expect(eventsOf(runEngine(small, { arrivals: [at(0, request('a', 90, 6))] }), 'finished')).toHaveLength(1);
  const narrow = engine({ profile: { ...profile, contextTokens: 1_000 } });
  expect(admits(narrow, request('a', 900, 100))).toBeUndefined();
  expect(admits(narrow, request('a', 901, 100))).toBe('too-long');
});

test('a bad arrival is refused by name and changes nothing', () => {
  const state = engine({ kvTokens: 160 });
  step(state, { arrivals: [request('a', 10, 5)], aborts: [], nowMs: 0 });
  const before = JSON.stringify(snapshotOf(state));
  const offer = (...arrivals: RequestSpec[]) => step(state, { arrivals, aborts: [], nowMs: 9 });
  expect(() => offer(request('b', 1, 1), request('c', 160, 1))).toThrow('request "c" can never fit');
  expect(() => offer(request('a', 1, 1))).toThrow('request "a" is in the engine already');
  expect(() => offer(request('b', 1, 1), request('b', 1, 1))).toThrow('request "b" is in the engine already');
  expect(() => offer(request('b', 0, 1))).toThrow('request "b" has 0 prompt tokens');
  expect(() => offer(request('b', 1, -1))).toThrow('request "b" has -1 output tokens');
  expect(JSON.stringify(snapshotOf(state))).toBe(before);
});

test.each([
  [{ maxSeqs: 0 }, 'maxSeqs is 0'],
  [{ maxBatchedTokens: 1.5 }, 'maxBatchedTokens is 1.5'],
  [{ kvTokens: 15 }, 'less than one block of 16 tokens'],
  [{ blockTokens: 0 }, 'blockTokens is 0'],
  [{ watermark: 2 }, 'watermark is 2'],
  [{ noise: Number.NaN }, 'noise is NaN'],
])('settings %o are refused', (settings, message) => {
  expect(() => engine(settings)).toThrow(message);
});

test('noise moves single steps and not the average', () => {
  const arrivals = [at(0, request('a', 100, 2_000))];
  const total = (noise: number, seed: number) => {
    const state = engine({ noise, seed });
    runEngine(state, { arrivals });
    return snapshotOf(state).counters.busyMs;
  };
  const exact = total(0, 1);
  expect(total(0, 2)).toBe(exact);
  expect(total(0.05, 1)).not.toBe(exact);
  expect(total(0.05, 1)).toBe(total(0.05, 1));
  expect(total(0.05, 1)).not.toBe(total(0.05, 2));
  expect(Math.abs(total(0.5, 1) / exact - 1)).toBeLessThan(0.04);
});

test('a snapshot is a copy that later steps leave alone', () => {
  const state = engine();
  step(state, { arrivals: [request('a', 100, 5)], aborts: [], nowMs: 0 });
  const snapshot = snapshotOf(state);
  const text = JSON.stringify(snapshot);
  runEngine(state, { arrivals: [] });
  expect(JSON.stringify(snapshot)).toBe(text);
  expect(snapshot).toMatchObject({ running: 1, kvBlocksUsed: 7, kvTokensUsed: 112, blockTokens: 16 });
  expect(snapshot.kvUsage).toBeCloseTo(7 / 27_750, 12);
});
