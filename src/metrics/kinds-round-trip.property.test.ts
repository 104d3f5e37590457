import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomOwn, randomReading } from '../../test/kit/random-reading.ts';
import { combinedNumber } from '../engines/combine.ts';
import { profiles } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { readSamples } from '../engines/read.ts';
import { readSignals, SIGNAL_FAMILIES, type SignalName } from '../engines/signals.ts';
import { vllm } from '../engines/vllm.ts';
import { pageOf } from '../engines/write.ts';
import { parseExposition } from '../exposition/parse.ts';
import { writeText } from '../exposition/write-text.ts';
import { seededRandom } from '../kit/random.ts';
import { pageChunks, renderFamily } from './rendered-page.ts';
import { translatePage } from './translate.ts';

const kinds = profiles.filter(({ page }) => page !== undefined);
const states = fc.record({ ranks: fc.integer({ min: 1, max: 4 }), seed: fc.integer() });
const samplesOf = (bytes: Uint8Array) => parseExposition(bytes, 'text-0.0.4').samples;

/** A state, the page of its kind that shows it, and that page as it is re-exported. */
function roundTrip(profile: EngineProfile, ranks: number, seed: number) {
  const random = seededRandom(seed);
  const names =
    profile.rankLabel === undefined ? ['0'] : Array.from({ length: ranks }, (_, rank) => `${rank}`);
  const state = randomReading(profile, names, random);
  const bytes = new TextEncoder().encode(
    writeText(pageOf(profile, state, randomOwn(profile, state, random))),
  );
  const engine = { name: 'e', runtime: 'r', profile, models: [] };
  const rendered = translatePage({ bytes, format: 'text-0.0.4' }, engine).map(renderFamily);
  const exported = Buffer.concat([...pageChunks(rendered, 'text-0.0.4')]);
  return { state, page: samplesOf(bytes), exported: samplesOf(exported) };
}

test.each(kinds)(
  '$kind: state, its page, its profile, the page in vLLM names, vLLM profile: the same signals',
  (profile) => {
    fc.assert(
      fc.property(states, ({ ranks, seed }) => {
        const { state, page, exported } = roundTrip(profile, ranks, seed);
        const said = readSignals(profile, page);
        const back = readSignals(vllm, exported);
        // Progress is a family of the kind's own choice.
        expect({ ...back, progress: undefined }).toEqual({ ...said, progress: undefined });
        for (const [name, family] of Object.entries(SIGNAL_FAMILIES)) {
          if (name === 'kvCapacityTokens' || name === 'sleeping') continue;
          expect(back[name as SignalName], name).toBe(combinedNumber(family, state));
        }
      }),
      { seed: 11, numRuns: 10 },
    );
  },
);

test.each(kinds)('$kind: every family comes through with its values and its own bounds', (profile) => {
  fc.assert(
    fc.property(states, ({ ranks, seed }) => {
      const { page, exported } = roundTrip(profile, ranks, seed);
      const said = readSamples(profile, page);
      const back = readSamples(vllm, exported);
      expect([...back.series.keys()].sort()).toEqual([...said.series.keys()].sort());
      for (const [name, series] of said.series) {
        const values = back.series.get(name)?.map(({ value }) => value);
        expect([name, values]).toEqual([name, series.map(({ value }) => value)]);
      }
    }),
    { seed: 12, numRuns: 5 },
  );
});
