import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomOwn, randomReading } from '../../test/kit/random-reading.ts';
import { parseExposition } from '../exposition/parse.ts';
import { writeText } from '../exposition/write-text.ts';
import { seededRandom } from '../kit/random.ts';
import { combinedNumber } from './combine.ts';
import { profiles } from './index.ts';
import { kvCapacityTokens } from './kv-capacity.ts';
import { labelKey } from './label-key.ts';
import type { EngineProfile } from './profile.ts';
import { readSamples } from './read.ts';
import type { Reading, Series } from './reading.ts';
import { readSignals, SIGNAL_FAMILIES, signalNames } from './signals.ts';
import { pageOf } from './write.ts';

const written = profiles.filter(({ page }) => page !== undefined);

function ranksOf(profile: EngineProfile, count: number): readonly string[] {
  return profile.rankLabel === undefined ? ['0'] : Array.from({ length: count }, (_, rank) => String(rank));
}

/** By label set: the order of series on a page says nothing. */
function bySeries(series: readonly Series[] | undefined): Readonly<Record<string, Series['value']>> {
  return Object.fromEntries((series ?? []).map(({ labels, value }) => [labelKey(labels), value]));
}

const states = fc.record({ ranks: fc.integer({ min: 1, max: 4 }), seed: fc.integer() });

function pageText(profile: EngineProfile, state: Reading, own: ReturnType<typeof randomOwn>) {
  const text = writeText(pageOf(profile, state, own));
  return { text, samples: parseExposition(new TextEncoder().encode(text), 'text-0.0.4').samples };
}

test('every kind can be written but those without a text page of their own', () => {
  const others = profiles.filter(({ page }) => page === undefined).map(({ kind }) => kind);
  expect(others).toEqual(['ollama', 'dynamo-worker', 'llama-swap', 'mlc-llm', 'trtllm-json']);
});

test.each(written)('what is written as $kind is read back to the same series', (profile) => {
  fc.assert(
    fc.property(states, ({ ranks, seed }) => {
      const random = seededRandom(seed);
      const state = randomReading(profile, ranksOf(profile, ranks), random);
      const { samples } = pageText(profile, state, randomOwn(profile, state, random));
      const reading = readSamples(profile, samples);
      expect(reading.ranks).toEqual(state.ranks);
      expect(reading.modelName).toBe(profile.modelLabels.length === 0 ? undefined : state.modelName);
      for (const [name, series] of state.series) {
        // llama.cpp's split by source has no figures of its own: total and cached tokens decide.
        if (name === 'vllm:prompt_tokens_by_source_total' && 'each' in (profile.families[name] ?? {}))
          continue;
        expect(bySeries(reading.series.get(name)), name).toEqual(bySeries(series));
      }
      expect(new Set(reading.series.keys())).toEqual(new Set(state.series.keys()));
    }),
    { seed: 1, numRuns: 12 },
  );
});

test.each(written)(
  'what is written as $kind is read back to the same signals, from all samples or the kept ones',
  (profile) => {
    fc.assert(
      fc.property(states, ({ ranks, seed }) => {
        const random = seededRandom(seed);
        const state = randomReading(profile, ranksOf(profile, ranks), random);
        const { samples } = pageText(profile, state, randomOwn(profile, state, random));
        const signals = readSignals(profile, samples);
        const kept = new Set(signalNames(profile));
        expect(
          readSignals(
            profile,
            samples.filter(({ name }) => kept.has(name)),
          ),
        ).toEqual(signals);
        for (const [name, family] of Object.entries(SIGNAL_FAMILIES)) {
          if (name === 'kvCapacityTokens' || name === 'sleeping') continue;
          expect(signals[name as keyof typeof signals], name).toBe(combinedNumber(family, state));
        }
        const cache = state.series.get(SIGNAL_FAMILIES.kvCapacityTokens) ?? [];
        expect(signals.kvCapacityTokens).toBe(kvCapacityTokens(cache));
      }),
      { seed: 2, numRuns: 12 },
    );
  },
);

test.each(written)('a page of $kind that was read is written again as the same text', (profile) => {
  fc.assert(
    fc.property(states, ({ ranks, seed }) => {
      const random = seededRandom(seed);
      const state = randomReading(profile, ranksOf(profile, ranks), random);
      const own = randomOwn(profile, state, random);
      const first = pageText(profile, state, own);
      const again = pageText(profile, readSamples(profile, first.samples), own);
      expect(linesOf(again.text)).toEqual(linesOf(first.text));
    }),
    { seed: 3, numRuns: 5 },
  );
});

/** Series stand in the order in which the state has them. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').sort();
}
