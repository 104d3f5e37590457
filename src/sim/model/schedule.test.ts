import { expect, test } from 'vitest';
import { eventsOf, request, runEngine, shippedProfile } from '../../../test/kit/run-engine.ts';
import { createEngine, type EngineSettings } from './engine.ts';
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

/** Prompt content that is the same for the same `group`. */
function blocks(group: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => group * 1_000_000 + index);
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

test('a cached prefix shortens the prefill by exactly its tokens', () => {
  const state = engine();
  const shared = blocks(1, 100);
  const ttft = (spec: RequestSpec) => eventsOf(runEngine(state, { arrivals: [at(0, spec)] }), 'prefilled')[0];
  const cold = ttft(request('cold', 2_000, 1, { promptBlocks: shared }));
  const warm = ttft(request('warm', 2_000, 1, { promptBlocks: shared }));
  expect(cold).toMatchObject({ cachedTokens: 0 });
  // 100 numbered blocks of 16; the other 25 are shared with nobody.
  expect(warm).toMatchObject({ cachedTokens: 1_600 });
  expect(cold?.prefillMs).toBeCloseTo(prefillMs(2_000), 9);
  expect(warm?.prefillMs).toBeCloseTo(prefillMs(400, 1_600), 9);
  expect(snapshotOf(state).counters).toMatchObject({
    queriedTokens: 4_000,
    cachedTokens: 1_600,
    computedTokens: 2_400,
  });
});

test('a prompt that is cached whole still computes its last block', () => {
  const state = engine();
  const spec = { promptBlocks: blocks(1, 10) };
  runEngine(state, { arrivals: [at(0, request('a', 160, 1, spec))] });
  const events = runEngine(state, { arrivals: [at(0, request('b', 160, 1, spec))] });
  expect(eventsOf(events, 'scheduled')[0]).toMatchObject({ queriedTokens: 160, cachedTokens: 144 });
});

test('equal blocks after unequal ones are no hit', () => {
  const state = engine();
  runEngine(state, { arrivals: [at(0, request('a', 100, 1, { promptBlocks: [1, 2, 3, 4] }))] });
  const events = runEngine(state, {
    arrivals: [at(0, request('b', 100, 1, { promptBlocks: [1, 9, 3, 4] }))],
  });
  expect(eventsOf(events, 'scheduled')[0]).toMatchObject({ cachedTokens: 16 });
});

test('prompts without numbered blocks share nothing, whatever their size', () => {
  const state = engine();
  const events = runEngine(state, {
    arrivals: [at(0, request('a', 500, 1)), at(100, request('b', 500, 1)), at(200, request('c', 500, 1))],
  });
  expect(eventsOf(events, 'scheduled').map(({ cachedTokens }) => cachedTokens)).toEqual([0, 0, 0]);
});

test('a next turn finds the answer when the list of blocks goes on past the prompt', () => {
  const state = engine();
  const conversation = blocks(3, 20);
  runEngine(state, { arrivals: [at(0, request('turn-1', 100, 101, { promptBlocks: conversation }))] });
  const events = runEngine(state, {
    arrivals: [at(0, request('turn-2', 320, 5, { promptBlocks: conversation }))],
  });
  // 200 of 201 tokens were computed: the last one never is. 12 full blocks.
  expect(eventsOf(events, 'scheduled')[0]).toMatchObject({ cachedTokens: 192 });
});

test('two requests of one step share the prefix that the first of them is about to compute', () => {
  const events = runEngine(engine(), {
    arrivals: ['a', 'b'].map((id) => at(0, request(id, 320, 1, { promptBlocks: blocks(1, 20) }))),
  });
  expect(eventsOf(events, 'scheduled').map(({ cachedTokens }) => cachedTokens)).toEqual([0, 304]);
  expect(eventsOf(events, 'step')[0]).toMatchObject({ computedTokens: 336, batchSequences: 2 });
});

test('with one slot and three requests one runs and two wait, in order', () => {
  const state = engine({ maxSeqs: 1 });
  const { events } = step(state, {
    arrivals: ['a', 'b', 'c'].map((id) => request(id, 100, 5)),
    aborts: [],
    nowMs: 0,
  });
  expect(snapshotOf(state)).toMatchObject({ running: 1, waiting: 2, maxSeqs: 1 });
  expect(sequencesOf(state).map(({ id, phase }) => [id, phase])).toEqual([
    ['a', 'decoding'],
    ['b', 'waiting'],
    ['c', 'waiting'],
  ]);
  expect(eventsOf(events, 'scheduled').map(({ id }) => id)).toEqual(['a']);
  const rest = runEngine(state, { arrivals: [] });
  expect(eventsOf(rest, 'finished').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(eventsOf(rest, 'scheduled')[0]?.queuedMs).toBeGreaterThan(20);
});

test('four slots take four of six, and the fifth as soon as one is done', () => {
  const state = engine({ profile: shippedProfile('home-8b-q4') });
  const seen = new Set<string>();
  const events = runEngine(
    state,
    { arrivals: [3, 9, 9, 9, 9, 9].map((tokens, index) => at(0, request(`${index}`, 50, tokens))) },
    {
      afterStep: () => seen.add(`${snapshotOf(state).running}+${snapshotOf(state).waiting}`),
    },
  );
  expect([...seen]).toEqual(['4+2', '3+2', '4+1', '1+1', '2+0', '1+0', '0+0']);
  expect(eventsOf(events, 'finished')).toHaveLength(6);
});

test('decoding goes on in every step of somebody else’s chunked prefill', () => {
  const state = engine({ maxBatchedTokens: 512 });
  const events = runEngine(state, {
    arrivals: [at(0, request('chat', 10, 50)), at(5, request('long', 5_000, 1))],
  });
  const mixed = eventsOf(events, 'step').filter(({ computedTokens }) => computedTokens === 511);
  expect(mixed).toHaveLength(9);
  for (const one of mixed) {
    expect(one).toMatchObject({ generatedTokens: 1, batchSequences: 2, batchTokens: 512 });
  }
});

test('a newcomer that would fit does not overtake a waiting one that does not', () => {
  const state = engine({ kvTokens: 1_600 });
  const events = runEngine(state, {
    arrivals: [
      at(0, request('big', 1_200, 20)),
      at(1, request('second', 1_000, 1)),
      at(2, request('tiny', 16, 1)),
    ],
  });
  expect(eventsOf(events, 'preempted')).toHaveLength(0);
  expect(eventsOf(events, 'scheduled').map(({ id }) => id)).toEqual(['big', 'second', 'tiny']);
  const bigEnds = eventsOf(events, 'finished', 'big')[0]?.atMs ?? Number.NaN;
  expect(eventsOf(events, 'scheduled', 'tiny')[0]?.atMs).toBeGreaterThanOrEqual(bigEnds);
});

test('out of blocks, the last of the running is preempted, waits at the head and resumes from its own prefix', () => {
  const state = engine({ kvTokens: 10 * 16 });
  const events = runEngine(state, {
    arrivals: [
      at(0, request('first', 64, 40)),
      at(0, request('last', 64, 40)),
      at(20, request('late', 32, 4)),
    ],
  });
  const preempted = eventsOf(events, 'preempted');
  expect(preempted.length).toBeGreaterThan(0);
  expect(new Set(preempted.map(({ id }) => id))).toEqual(new Set(['last']));
  expect(eventsOf(events, 'finished')).toHaveLength(3);
  // It waits before the one that came later.
  const ids = eventsOf(events, 'scheduled').map(({ id }) => id);
  expect(ids.indexOf('late')).toBeGreaterThan(ids.lastIndexOf('last'));
  for (const [id, count] of [
    ['first', 40],
    ['last', 40],
    ['late', 4],
  ] as const) {
    expect(eventsOf(events, 'tokens', id)).toHaveLength(count);
    expect(eventsOf(events, 'tokens', id).filter(({ firstToken }) => firstToken)).toHaveLength(1);
    expect(eventsOf(events, 'prefilled', id)).toHaveLength(1);
  }
  const resumed = eventsOf(events, 'scheduled', 'last').filter(({ first }) => !first);
  expect(resumed).toHaveLength(preempted.length);
  // What it generated before counts as its prompt now, and what nobody evicted is found again.
  expect(resumed[0]?.queriedTokens).toBeGreaterThan(64);
  expect(resumed[0]?.cachedTokens).toBeGreaterThan(0);
  // Lookups after a preemption are not prefix-cache traffic.
  expect(snapshotOf(state).counters).toMatchObject({
    queriedTokens: 64 + 64 + 32,
    cachedTokens: 0,
    preemptions: preempted.length,
    promptTokens: 64 + 64 + 32,
    generatedTokens: 84,
  });
  expect(snapshotOf(state)).toMatchObject({ kvBlocksUsed: 0, kvBlocksTotal: 10 });
});

test('nobody is taken from the queue in a step that preempts, even if it would fit', () => {
  const state = engine({ kvTokens: 10 * 16 });
  // Both have the same content, so the preempted one could resume at once on the blocks of the other.
  const twin = { promptBlocks: blocks(1, 20) };
  let preemptingSteps = 0;
  runEngine(
    state,
    { arrivals: [at(0, request('first', 64, 60, twin)), at(0, request('last', 64, 60, twin))] },
    {
      afterStep: ({ events }) => {
        if (eventsOf(events, 'preempted').length === 0) return;
        preemptingSteps += 1;
        expect(eventsOf(events, 'scheduled')).toHaveLength(0);
      },
    },
  );
  expect(preemptingSteps).toBeGreaterThan(0);
});

test('a watermark keeps a newcomer out while others run, and never blocks an empty engine', () => {
  const arrivals = [at(0, request('a', 64, 16)), at(0, request('b', 64, 16))];
  const preemptions = (watermark: number) => {
    const state = engine({ kvTokens: 9 * 16, watermark });
    const events = runEngine(state, { arrivals });
    expect(eventsOf(events, 'finished')).toHaveLength(2);
    return snapshotOf(state).counters.preemptions;
  };
  expect(preemptions(0)).toBeGreaterThan(0);
  expect(preemptions(0.3)).toBe(0);
  expect(preemptions(1)).toBe(0);
});
