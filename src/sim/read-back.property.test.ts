import fc from 'fast-check';
import { expect, test } from 'vitest';

import { pageOfSim, virtualSim, work } from '../../test/kit/sim.ts';
import { familyOf } from '../catalog/index.ts';
import { contractOf } from '../engines/contract.ts';
import { profileOf } from '../engines/index.ts';
import { readSamples } from '../engines/read.ts';
import type { Histogram, Series } from '../engines/reading.ts';
import { readSignals } from '../engines/signals.ts';
import { measuresBlocks } from './sim-kind-of.ts';
import { allSimKinds, type SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';

/** Every kind that has a page, also those whose API is the generic one. */
const withPages = allSimKinds.filter(({ kind }) => profileOf(kind)?.page !== undefined);

/** What happens to an engine: requests of some size, some leave, time passes. */
const happenings = fc.array(
  fc.record({
    promptTokens: fc.integer({ min: 1, max: 3000 }),
    outputTokens: fc.integer({ min: 1, max: 60 }),
    sharesPrefix: fc.boolean(),
    leaves: fc.boolean(),
    adapter: fc.constantFrom(undefined, 'poet', 'judge'),
    thenMs: fc.integer({ min: 0, max: 400 }),
  }),
  { maxLength: 12 },
);

/** What `penstock sim` was given beyond sizes. */
const flags = fc.record({
  kvTokens: fc.option(fc.integer({ min: 3200, max: 8000 }), { nil: undefined, freq: 2 }),
  drafts: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 }),
  faults: fc.option(fc.constant({ error: 0.2, abort: 0.2 }), { nil: undefined, freq: 2 }),
  adapters: fc.boolean(),
  blocks: fc.boolean(),
});

const engine = fc.record({
  simKind: fc.constantFrom(...withPages),
  flags,
  ranks: fc.integer({ min: 1, max: 3 }),
  maxNumSeqs: fc.integer({ min: 1, max: 4 }),
  speed: fc.constantFrom(1, 10),
  happenings,
});

/** Kinds that were looked at closest: all their signals are compared, of the others the load and every family. */
const WHOLE_CONTRACT: ReadonlySet<string> = new Set(['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata']);

type Flags = typeof flags extends fc.Arbitrary<infer T> ? T : never;

function flagSettings(kind: SimKind, given: Flags): Partial<SimSettings> {
  const { kvTokens, drafts, faults, adapters, blocks } = given;
  return {
    // With slots the cache is split: room for one request of this size is then the whole of it.
    ...(kvTokens === undefined || kind.admission === 'slots' ? {} : { kvTokens }),
    ...(drafts === undefined ? {} : { speculation: { draftTokens: drafts, acceptance: 0.6 } }),
    ...(faults === undefined ? {} : { faults }),
    ...(adapters && kind.listsAdapters ? { adapters: ['poet', 'judge'] } : {}),
    ...(blocks && measuresBlocks(kind) ? { kvCacheMetrics: 1 } : {}),
  };
}

test('whatever happened to an engine, its profile reads from its page what it knows', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(engine, async (run) => {
      const { simKind, maxNumSeqs, speed } = run;
      const { kind } = simKind;
      const profile = profileOf(kind);
      if (profile === undefined) throw new Error(`no profile of ${kind}`);
      const ranks = profile.rankLabel === undefined ? 1 : run.ranks;
      const { clock, sim } = virtualSim({
        kind,
        ranks,
        maxNumSeqs,
        speed,
        ...flagSettings(simKind, run.flags),
      });
      for (const happening of run.happenings) {
        const { promptTokens, outputTokens, sharesPrefix, leaves, thenMs } = happening;
        const adapter = sim.adapters.length > 0 ? happening.adapter : undefined;
        const promptBlocks = sharesPrefix ? [1, 2, 3, 4, 5, 6, 7, 8] : [];
        const generation = await sim.driver.submit(
          work(promptTokens, outputTokens, {
            promptBlocks,
            ...(adapter === undefined ? {} : { adapter }),
          }),
        );
        await clock.advance(thenMs / speed);
        if (leaves) generation.abort();
      }

      const figures = sim.stats.ranks();
      const total = sim.stats.totals();
      const { samples } = pageOfSim(sim);
      const signals = readSignals(profile, samples);
      const sum = (key: 'running' | 'waiting'): number =>
        figures.reduce((all, figure) => all + figure[key], 0);

      expect(signals.running).toBe(sum('running'));
      expect(signals.waiting).toBe(sum('waiting'));
      if (WHOLE_CONTRACT.has(kind)) {
        expect(contractOf(profile, signals).missing).toEqual([]);
        expect(signals.promptTokens).toBe(total.promptTokens);
        expect(signals.prefixHits).toBe(kind === 'vllm' ? signals.prefixHits : total.cachedTokens);
        if (profile.kvUsageMeans !== 'pool' || kind === 'llama-cpp') {
          expect(signals.kvCapacityTokens).toBe(kind === 'strata' ? sim.contextTokens : undefined);
        } else {
          expect(signals.kvUsage).toBe(Math.max(...figures.map(({ kvUsage }) => kvUsage)));
          expect(signals.kvCapacityTokens).toBe(sim.kvTokens * ranks);
        }
        if (kind === 'vllm' || kind === 'trtllm')
          expect(signals.successes).toBe(total.finished + total.aborted + total.failed);
      }
      if (ranks > 1) {
        const seen = signals.ranks.map(({ rank, running, waiting, kvUsage }) => ({
          rank,
          running,
          waiting,
          kvUsage,
        }));
        expect(seen).toEqual(
          figures.map(({ running, waiting, kvUsage }, rank) => ({
            rank: String(rank),
            running,
            waiting,
            kvUsage,
          })),
        );
      }

      // Families too, not signals alone: what was put on the page is what is read from it.
      const reading = sim.stats.reading();
      const back = readSamples(profile, samples);
      for (const [name, series] of reading.series) {
        const read = back.series.get(name)?.map(({ value }) => value);
        if (read !== undefined) expect([name, read]).toEqual([name, trueOnes(name, series)]);
      }
      await sim.driver.stop();
    }),
    { seed: 1, numRuns: 20 * withPages.length },
  );
});

/** Of a family whose newest series alone is true, that of each rank. */
function trueOnes(name: string, series: readonly Series[]): readonly (number | Histogram)[] {
  if (familyOf(name)?.ranks !== 'newest') return series.map(({ value }) => value);
  const newest = new Map<string, number>();
  for (const { labels, value } of series) {
    const rank = labels['engine'] ?? '';
    newest.set(rank, Math.max(newest.get(rank) ?? 0, Number(value)));
  }
  return [...newest.values()];
}
