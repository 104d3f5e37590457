import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runEngine, shippedProfile, type Timeline } from '../../../test/kit/run-engine.ts';
import {
  admits,
  createEngine,
  type EngineCounters,
  type EngineSettings,
  type EngineState,
} from './engine.ts';
import type { EngineEvent, RequestEvent } from './engine-event.ts';
import type { Block } from './free-queue.ts';
import type { RequestSpec } from './sequence.ts';
import { snapshotOf } from './snapshot.ts';

const BLOCK_TOKENS = 16;
const profile = shippedProfile('llama-3-8b-h100');

interface Scenario {
  readonly settings: EngineSettings;
  readonly timeline: Required<Timeline>;
}

const draft = fc.record({
  atMs: fc.nat(200),
  promptTokens: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 400 })),
  outputTokens: fc.nat(120),
  /** Prompts of one group share their start; group 0 has no numbered blocks. */
  group: fc.nat(2),
  sharedBlocks: fc.nat(25),
  finishReason: fc.constantFrom('stop' as const, 'length' as const),
  abortAfterMs: fc.option(fc.nat(300), { nil: undefined, freq: 4 }),
});

const settings = fc.record({
  seed: fc.integer(),
  maxSeqs: fc.integer({ min: 1, max: 8 }),
  /** From hopelessly small, where everything preempts, to ample. */
  kvTokens: fc.oneof(fc.integer({ min: 160, max: 600 }), fc.constant(100_000)),
  maxBatchedTokens: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constant(512), fc.constant(8_192)),
  watermark: fc.constantFrom(0, 0, 0, 0.1, 1),
  noise: fc.constantFrom(0, 0.05),
  admission: fc.constantFrom('as-fits' as const, 'as-fits' as const, 'reserve-all' as const),
  watchedBlocks: fc.constantFrom(0.3, 1),
  more: fc.oneof(
    fc.constant({}),
    fc.record({
      speculation: fc.record({
        draftTokens: fc.integer({ min: 1, max: 20 }),
        acceptance: fc.constantFrom(0, 0.5, 0.9, 1),
      }),
    }),
  ),
});

const scenario: fc.Arbitrary<Scenario> = fc
  .tuple(settings, fc.array(draft, { minLength: 1, maxLength: 14 }))
  .map(([{ more, ...rest }, drafts]) => {
    const chosen = { ...rest, ...more };
    const arrivals = drafts.map(({ atMs, group, sharedBlocks, abortAfterMs, ...sizes }, at) => ({
      atMs,
      abortAtMs: abortAfterMs === undefined ? undefined : atMs + abortAfterMs,
      spec: {
        id: `r${at}`,
        ...sizes,
        ...(group === 0 ? {} : { promptBlocks: content(at, group, sharedBlocks) }),
      },
    }));
    const empty = createEngine({ profile, ...chosen });
    const admitted = arrivals.filter(({ spec }) => admits(empty, spec) === undefined);
    return {
      settings: { profile, ...chosen },
      timeline: {
        arrivals: admitted,
        aborts: admitted.flatMap(({ abortAtMs, spec: { id } }) =>
          abortAtMs === undefined ? [] : [{ atMs: abortAtMs, id }],
        ),
      },
    };
  });

/** 25 blocks: the first `sharedBlocks` those of the group, the rest of this request alone. */
function content(request: number, group: number, sharedBlocks: number): number[] {
  return Array.from({ length: 25 }, (_, at) =>
    at < sharedBlocks ? group * 100 + at : 10_000 * (request + 1) + at,
  );
}

/** What does not hold between two steps although it must. Collected, since an `expect` per block takes most of the run. */
function problemsOf(state: EngineState): readonly string[] {
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const { kvUsage, kvBlocksUsed } = snapshotOf(state);
  check(state.running.length <= state.maxSeqs, 'more run than maxSeqs');
  check(state.running.length + state.waiting.length === state.byId.size, 'a request is in no list or in two');
  check(kvUsage >= 0 && kvUsage <= 1, `kvUsage ${kvUsage}`);

  const drafts = state.speculation?.draftTokens ?? 0;
  const holders = new Map<Block, number>();
  for (const { spec, blocks, computedTokens } of state.running) {
    check(
      // Room that was taken for drafts which were refused is kept for what comes instead.
      blocks.length >= Math.ceil(computedTokens / BLOCK_TOKENS) &&
        blocks.length <= Math.ceil((computedTokens + drafts) / BLOCK_TOKENS) &&
        blocks.length <= Math.ceil((spec.promptTokens + spec.outputTokens) / BLOCK_TOKENS),
      `${spec.id} holds ${blocks.length} blocks`,
    );
    check(new Set(blocks).size === blocks.length, `${spec.id} holds a block twice`);
    for (const block of blocks) holders.set(block, (holders.get(block) ?? 0) + 1);
  }
  for (const { spec, blocks, computedTokens } of state.waiting) {
    check(blocks.length === 0 && computedTokens === 0, `${spec.id} holds blocks while it waits`);
  }
  check(kvBlocksUsed === holders.size, `${kvBlocksUsed} blocks used, ${holders.size} held`);
  for (const [{ index, references }, count] of holders) {
    check(references === count, `block ${index} counts ${references} holders of ${count}`);
  }
  return problems;
}

/** Names of the counters that fell. */
function fallen(before: EngineCounters, now: EngineCounters): readonly string[] {
  const names = Object.keys(before) as (keyof EngineCounters)[];
  return names.filter((name) => !(now[name] >= before[name]));
}

function run({ settings: chosen, timeline }: Scenario): {
  state: EngineState;
  events: readonly EngineEvent[];
} {
  const state = createEngine(chosen);
  let before = snapshotOf(state).counters;
  // In every step the oldest running request computes at least one token, and it is never preempted.
  const maxSteps = timeline.arrivals.reduce(
    (sum, { spec }) => sum + spec.promptTokens + spec.outputTokens + 2,
    0,
  );
  const events = runEngine(state, timeline, {
    maxSteps,
    afterStep: () => {
      const now = snapshotOf(state).counters;
      expect([...problemsOf(state), ...fallen(before, now)]).toEqual([]);
      before = now;
    },
  });
  return { state, events };
}

/** The life of one request, in the only order it may have. */
function checkLife(spec: RequestSpec, events: readonly EngineEvent[]): void {
  const own = events.filter((event): event is RequestEvent => 'id' in event && event.id === spec.id);
  for (const [at, event] of own.entries()) {
    expect(event.atMs).toBeGreaterThanOrEqual(own[at - 1]?.atMs ?? 0);
  }
  const letters = own.map((event) => {
    if (event.type === 'tokens') return event.firstToken ? 'T' : 't';
    if (event.type === 'scheduled') return event.first ? 'S' : 's';
    return { queued: 'q', prefilled: 'P', preempted: 'x', finished: 'f' }[event.type as 'queued'];
  });
  expect(letters.join('')).toMatch(/^q(S(xs)*(x?|P(Tt*(xst*)*x?)?))?f$/);

  const last = own.at(-1);
  if (last?.type !== 'finished') throw new Error(`${spec.id} does not end with finished`);
  const generated = own.reduce((sum, event) => sum + (event.type === 'tokens' ? event.count : 0), 0);
  expect(last).toMatchObject({ promptTokens: spec.promptTokens, outputTokens: generated });
  if (last.reason === 'abort') {
    expect(generated).toBeLessThanOrEqual(spec.outputTokens);
  } else {
    expect(last.reason).toBe(spec.finishReason);
    expect(generated).toBe(spec.outputTokens);
    expect(letters.at(-2)).not.toBe('x');
  }
}

/** Tokens of the longest start that two prompts have in common, in whole blocks. */
function commonTokens(one: RequestSpec, other: RequestSpec): number {
  const blocks = one.promptBlocks?.findIndex((block, at) => block !== other.promptBlocks?.[at]) ?? 0;
  return BLOCK_TOKENS * (blocks < 0 ? (one.promptBlocks?.length ?? 0) : blocks);
}

/** No prefix is found that nobody computed before; with room for everything, all of it is found. */
function checkHits(state: EngineState, timeline: Required<Timeline>, events: readonly EngineEvent[]): void {
  const specs = new Map(timeline.arrivals.map(({ spec }) => [spec.id, spec]));
  const earlier: RequestSpec[] = [];
  const ample = state.cache.totalBlocks > 5_000 && state.maxBatchedTokens > 6_000;
  for (const event of events) {
    if (event.type !== 'scheduled' || !event.first) continue;
    const spec = specs.get(event.id);
    if (spec === undefined) throw new Error(`${event.id} was scheduled and never sent`);
    const limit = Math.floor((spec.promptTokens - 1) / BLOCK_TOKENS) * BLOCK_TOKENS;
    const longest = (others: readonly RequestSpec[], tokensOf: (one: RequestSpec) => number) =>
      Math.max(
        0,
        ...others.map((other) => {
          const full = Math.floor(tokensOf(other) / BLOCK_TOKENS) * BLOCK_TOKENS;
          return Math.min(limit, full, commonTokens(spec, other));
        }),
      );
    expect(event.queriedTokens).toBe(spec.promptTokens);
    expect(event.cachedTokens).toBeLessThanOrEqual(
      longest(earlier, (one) => one.promptTokens + one.outputTokens),
    );
    if (ample) {
      expect(event.cachedTokens).toBeGreaterThanOrEqual(longest(earlier, (one) => one.promptTokens));
    }
    earlier.push(spec);
  }
}

test('whatever comes, leaves and fills the cache: every request ends once and every block is accounted for', () => {
  const seen = {
    drafted: 0,
    accepted: 0,
    refused: 0,
    evicted: 0,
    reused: 0,
    preempted: 0,
    resumedHits: 0,
    abortedRunning: 0,
    hits: 0,
    tooSmallBudget: 0,
  };
  fc.assert(
    fc.property(scenario, (one) => {
      const { state, events } = run(one);
      expect(snapshotOf(state)).toMatchObject({ running: 0, waiting: 0, kvUsage: 0 });
      const ended = events.filter(({ type }) => type === 'finished');
      expect(ended).toHaveLength(one.timeline.arrivals.length);
      for (const { spec } of one.timeline.arrivals) checkLife(spec, events);
      checkHits(state, one.timeline, events);

      if (state.admission === 'reserve-all') expect(snapshotOf(state).counters.preemptions).toBe(0);
      for (const event of events) {
        if (event.type === 'preempted') seen.preempted += 1;
        if (event.type === 'evicted') {
          expect(event.idleMs).toBeGreaterThanOrEqual(0);
          expect(event.lifetimeMs).toBeGreaterThanOrEqual(event.idleMs);
          expect(Math.min(0, ...event.reuseGapsMs)).toBe(0);
          expect(event.reuseGapsMs.reduce((sum, gap) => sum + gap, event.idleMs)).toBeLessThanOrEqual(
            event.lifetimeMs + 1e-6,
          );
          seen.evicted += 1;
          if (event.idleMs < event.lifetimeMs) seen.reused += 1;
        }
        if (event.type === 'tokens') {
          const drafted = event.draftedTokens;
          expect(event.count).toBeGreaterThanOrEqual(1);
          expect(event.count - 1).toBeLessThanOrEqual(drafted);
          seen.drafted += drafted;
          seen.accepted += event.count - 1;
          seen.refused += drafted - (event.count - 1);
        }
        if (event.type === 'scheduled' && event.cachedTokens > 0)
          seen[event.first ? 'hits' : 'resumedHits'] += 1;
        if (event.type === 'finished' && event.reason === 'abort' && event.outputTokens > 0)
          seen.abortedRunning += 1;
        if (event.type !== 'step') continue;
        expect(event.batchTokens).toBeLessThanOrEqual(state.maxBatchedTokens);
        expect(event.batchTokens).toBeGreaterThan(0);
        expect(event.batchSequences).toBeLessThanOrEqual(Math.min(state.maxSeqs, event.batchTokens));
        if (event.batchTokens === state.maxBatchedTokens) seen.tooSmallBudget += 1;
      }
    }),
    { seed: 1, numRuns: 400 },
  );
  // The scenarios reach what they are for.
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});

test('without preemptions and aborts each token is computed once, but for the cached ones and the last', () => {
  let compared = 0;
  fc.assert(
    fc.property(scenario, (one) => {
      const { state, events } = run({ ...one, timeline: { arrivals: one.timeline.arrivals, aborts: [] } });
      const computed = events.reduce(
        (sum, event) => sum + (event.type === 'step' ? event.batchTokens : 0),
        0,
      );
      const { counters } = snapshotOf(state);
      const needed = one.timeline.arrivals.reduce(
        (sum, { spec }) => sum + spec.promptTokens + Math.max(0, spec.outputTokens - 1),
        0,
      );
      if (counters.preemptions > 0) return;
      compared += 1;
      const wasted = counters.draftedTokens - counters.acceptedTokens;
      expect(computed + counters.cachedTokens).toBe(needed + wasted);
    }),
    { seed: 2, numRuns: 200 },
  );
  expect(compared).toBeGreaterThan(50);
});

test('the same seed and the same inputs give the same events, to the last bit', () => {
  fc.assert(
    fc.property(scenario, (one) => {
      expect(run(one).events).toEqual(run(one).events);
    }),
    { seed: 3, numRuns: 50 },
  );
});
