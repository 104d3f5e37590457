import fc from 'fast-check';
import { expect, test } from 'vitest';

import { profileOf, profiles } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { sampleNames } from '../engines/sample-names.ts';
import type { ExpositionFormat, Sample } from '../exposition/exposition.ts';
import { parseExposition } from '../exposition/parse.ts';
import { writeText } from '../exposition/write-text.ts';
import { type EngineFacts, engineFactFamilies } from './engine-facts.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { pageChunks, type RenderedFamily, renderFamily, renderPage } from './rendered-page.ts';
import { standInLatency } from './stand-in-latency.ts';

const FORMATS: readonly ExpositionFormat[] = ['text-0.0.4', 'openmetrics-1.0.0'];

/** Every name that a page of the kind is read for, the own families' among them. */
function namesOf(profile: EngineProfile): readonly string[] {
  const own = profile.own.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
  return [...new Set([...sampleNames(profile, Object.keys(profile.families)), ...own])];
}

const hostileValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    'a',
    'a"b',
    'a\\',
    'a\nb',
    '{x="y"}',
    '# EOF',
    'é',
    '\u{1f600}',
    '+Inf',
    'NaN',
  ),
  fc.constantFrom('x', 'y').map((end) => 'long '.repeat(200) + end),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
);
/** Names that collide with ours, with each other once escaped or dropped, and with nothing. */
const hostileLabel = fc.constantFrom(
  ...['engine', 'model_name', 'engine_name', 'runtime_name', 'kind', 'exported_kind', 'source', 'le'],
  ...[
    'pid',
    'WorkerId',
    '__name__',
    '__x',
    '__y',
    'dp_rank',
    'tp_rank',
    'model',
    'reason',
    'a',
    'A',
    'block_size',
  ],
);
const labels = fc.dictionary(hostileLabel, hostileValue, { maxKeys: 5 });
const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double());

interface RandomEngine {
  readonly kind: string;
  readonly samples: readonly Sample[];
  readonly model: string;
}

const kinds = profiles.filter((profile) => namesOf(profile).length > 0).map(({ kind }) => kind);
const anEngine: fc.Arbitrary<RandomEngine> = fc.constantFrom(...kinds).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    model: hostileValue,
    samples: fc.array(fc.record({ name: fc.constantFrom(...namesOf(profile(kind))), labels, value }), {
      maxLength: 60,
    }),
  }),
);

function profile(kind: string): EngineProfile {
  const found = profileOf(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}

function rendered({ kind, samples, model }: RandomEngine, at: number): readonly RenderedFamily[] {
  const page = writeText(
    samples.map((sample) => ({ name: sample.name, type: 'unknown', samples: [sample] })),
  );
  const name = `engine-${at}`;
  const of = { name, runtime: model, kind };
  const models = [
    { id: model, aliases: [], maxModelTokens: undefined, loaded: undefined, created: undefined },
  ];
  const bytes = new TextEncoder().encode(page);
  const result = renderPage({ bytes, format: 'text-0.0.4' }, { ...of, profile: profile(kind), models });
  if ('malformed' in result) throw new Error(result.malformed);
  const metrics = new GatewayMetrics({ version: '1' });
  metrics.firstToken(0.1, { modelName: model, engineName: name, kind, runtimeName: model });
  const standIns = profile(kind).latencyHistograms ? [] : standInLatency(metrics, of);
  return [...result.families, ...standIns.map(renderFamily)];
}

function facts({ kind, model }: RandomEngine, at: number): EngineFacts {
  return {
    name: `engine-${at}`,
    runtime: model,
    kind,
    up: true,
    scrapeAgeMs: 1,
    lastDurationMs: 1,
    scrapes: 1,
    failures: new Map([['timeout', 1]]),
    restarts: 0,
    contract: 'partial',
    missing: ['vllm:num_requests_waiting', 'vllm:num_requests_running'],
    inFlight: 0,
    breaker: 'closed',
    faults: new Map([['died', 1]]),
    version: model,
    certainty: 'known',
    kvCapacityTokens: 1,
  };
}

test('whatever engines of all kinds say, every series of the fleet stands once and no reader refuses the page', () => {
  expect(kinds.length).toBeGreaterThan(4);
  fc.assert(
    fc.property(fc.array(anEngine, { minLength: 1, maxLength: 5 }), (engines) => {
      const families = [
        ...engineFactFamilies(engines.map(facts)).map(renderFamily),
        ...engines.flatMap(rendered),
      ];
      for (const format of FORMATS) {
        const page = Buffer.concat([...pageChunks(families, format)]);
        // In text an engine's nonsense goes through as it came; OpenMetrics has its own word for it.
        const strict = format === 'openmetrics-1.0.0';
        const { samples, families: declared } = parseExposition(page, format, { strict });
        // What Prometheus keeps of a series: labels with a value.
        const keys = samples.map(({ name, labels: all }) =>
          JSON.stringify([
            name,
            ...Object.entries(all)
              .filter(([, text]) => text !== '')
              .sort(),
          ]),
        );
        expect(new Set(keys).size).toBe(keys.length);
        expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
        expect(samples.length).toBe(families.reduce((count, { series }) => count + series, 0));
      }
    }),
    { seed: 1, numRuns: 150 },
  );
});
