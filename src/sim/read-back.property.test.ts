import fc from 'fast-check';
import { expect, test } from 'vitest';

import { pageOfSim, virtualSim, work } from '../../test/kit/sim.ts';
import { contractOf } from '../engines/contract.ts';
import { profileOf } from '../engines/index.ts';
import { readSamples } from '../engines/read.ts';
import { readSignals } from '../engines/signals.ts';

const KINDS = ['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata'] as const;

/** What happens to an engine: requests of some size, some leave, time passes. */
const happenings = fc.array(
  fc.record({
    promptTokens: fc.integer({ min: 1, max: 3000 }),
    outputTokens: fc.integer({ min: 1, max: 60 }),
    sharesPrefix: fc.boolean(),
    leaves: fc.boolean(),
    thenMs: fc.integer({ min: 0, max: 400 }),
  }),
  { maxLength: 12 },
);

const engine = fc.record({
  kind: fc.constantFrom(...KINDS),
  ranks: fc.integer({ min: 1, max: 3 }),
  maxNumSeqs: fc.integer({ min: 1, max: 4 }),
  speed: fc.constantFrom(1, 10),
  happenings,
});

test('whatever happened to an engine, its profile reads from its page what it knows', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(engine, async (run) => {
      const { kind, maxNumSeqs, speed } = run;
      const profile = profileOf(kind);
      if (profile === undefined) throw new Error(`no profile of ${kind}`);
      const ranks = profile.rankLabel === undefined ? 1 : run.ranks;
      const { clock, sim } = virtualSim({ kind, ranks, maxNumSeqs, speed });
      for (const happening of run.happenings) {
        const { promptTokens, outputTokens, sharesPrefix, leaves, thenMs } = happening;
        const promptBlocks = sharesPrefix ? [1, 2, 3, 4, 5, 6, 7, 8] : [];
        const generation = await sim.driver.submit(work(promptTokens, outputTokens, { promptBlocks }));
        await clock.advance(thenMs / speed);
        if (leaves) generation.abort();
      }

      const figures = sim.stats.ranks();
      const total = sim.stats.totals();
      const { samples } = pageOfSim(sim);
      const signals = readSignals(profile, samples);
      const sum = (key: 'running' | 'waiting'): number =>
        figures.reduce((all, figure) => all + figure[key], 0);

      expect(contractOf(profile, signals).missing).toEqual([]);
      expect(signals.running).toBe(sum('running'));
      expect(signals.waiting).toBe(sum('waiting'));
      expect(signals.promptTokens).toBe(total.promptTokens);
      expect(signals.prefixHits).toBe(kind === 'vllm' ? signals.prefixHits : total.cachedTokens);
      if (profile.kvUsageMeans !== 'pool' || kind === 'llama-cpp') {
        expect(signals.kvCapacityTokens).toBe(kind === 'strata' ? sim.contextTokens : undefined);
      } else {
        expect(signals.kvUsage).toBe(Math.max(...figures.map(({ kvUsage }) => kvUsage)));
        expect(signals.kvCapacityTokens).toBe(sim.kvTokens * ranks);
      }
      if (kind === 'vllm' || kind === 'trtllm')
        expect(signals.successes).toBe(total.finished + total.aborted);
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
        if (read !== undefined) expect([name, read]).toEqual([name, series.map(({ value }) => value)]);
      }
      await sim.driver.stop();
    }),
    { seed: 1, numRuns: 60 },
  );
});
