import { expect, test } from 'vitest';
import { contractOf } from './contract.ts';
import { llamaCpp } from './llama-cpp.ts';
import { ollama } from './ollama.ts';
import { type KindOverride, withOverrides } from './override.ts';
import { profileIn } from './profile-set.ts';
import { readSignals } from './signals.ts';
import { strata } from './strata.ts';
import { vllm } from './vllm.ts';

const BUILT_IN = [vllm, llamaCpp, strata, ollama];

function override(kind: string, change: Partial<KindOverride> = {}): KindOverride {
  return {
    kind,
    like: undefined,
    title: undefined,
    metrics: undefined,
    healthPath: undefined,
    modelsPath: undefined,
    rankLabel: undefined,
    modelLabels: undefined,
    progress: undefined,
    families: {},
    ...change,
  };
}

const only = (one: KindOverride) => profileIn(withOverrides(BUILT_IN, [one]), one.kind);

test('without overrides the kinds are the built-in ones, and they never change', () => {
  const before = structuredClone({ ...vllm, detect: undefined });
  expect(withOverrides(BUILT_IN, [])).toEqual(BUILT_IN);
  withOverrides(BUILT_IN, [
    override('vllm', { title: 'Ours', families: { 'vllm:num_requests_running': X } }),
  ]);
  expect({ ...vllm, detect: undefined }).toEqual(before);
});

const X = { names: ['x'] } as const;

test('one source of a known kind is replaced, and the kind keeps its place and its marks', () => {
  const set = withOverrides(BUILT_IN, [
    override('llama-cpp', { families: { 'vllm:num_requests_running': X } }),
  ]);
  expect(set.map(({ kind }) => kind)).toEqual(BUILT_IN.map(({ kind }) => kind));
  const changed = set[1];
  expect(changed?.families['vllm:num_requests_running']).toEqual(X);
  expect(changed?.families['vllm:num_requests_waiting']).toBe(llamaCpp.families['vllm:num_requests_waiting']);
  expect(changed?.detect).toBe(llamaCpp.detect);
});

test('a new kind has what its base has, is never told by itself and stands last', () => {
  const made = override('mine', { like: 'llama-cpp', families: { 'vllm:num_requests_running': X } });
  const set = withOverrides(BUILT_IN, [made]);
  const mine = set.at(-1);
  expect(mine).toMatchObject({ kind: 'mine', title: 'mine', verifiedAgainst: [], metrics: llamaCpp.metrics });
  expect(mine?.detect({ families: new Set(['llamacpp:n_decode_total']) })).toBeUndefined();
  const samples = [
    { name: 'x', labels: {}, value: 4 },
    { name: 'llamacpp:requests_deferred', labels: {}, value: 2 },
  ];
  expect(mine && readSignals(mine, samples)).toMatchObject({ running: 4, waiting: 2 });
});

test('a new kind without a base has the families that are named, and nothing else is missed', () => {
  const mine = only(override('mine', { families: { 'vllm:num_requests_running': X } }));
  expect(mine).toMatchObject({ kvUsageMeans: 'absent', latencyHistograms: false, modelsPath: '/v1/models' });
  expect(mine?.families).toEqual({ 'vllm:num_requests_running': X });
  const signals = mine && readSignals(mine, [{ name: 'x', labels: {}, value: 4 }]);
  expect(mine && signals && contractOf(mine, signals)).toEqual({ state: 'complete', missing: [] });
  expect(only(override('mine'))?.families).toEqual({});
});

test('a new kind like a changed one is like the changed one', () => {
  const set = withOverrides(BUILT_IN, [
    override('mine', { like: 'vllm' }),
    override('vllm', { modelLabels: ['model_id'] }),
  ]);
  expect(profileIn(set, 'mine')?.modelLabels).toEqual(['model_id']);
});

test('an own address of the page has no query but its own, also where the base has no page', () => {
  const strataPage = only(override('strata', { metrics: { path: '/stats', query: undefined } }))?.metrics;
  expect(strataPage).toEqual({ ...strataPage, path: '/stats' });
  expect(strataPage).not.toHaveProperty('query');
  const page = { path: '/m', query: 'format=prometheus' };
  expect(only(override('ollama', { metrics: page }))?.metrics).toMatchObject(page);
});

const MISSING = { missing: 'no' } as const;

test.each<[string, KindOverride, { kvUsageMeans?: string; latencyHistograms?: boolean }]>([
  [
    'KV usage that is missing is not told',
    override('vllm', { families: { 'vllm:kv_cache_usage_perc': MISSING } }),
    { kvUsageMeans: 'absent' },
  ],
  [
    'KV usage that comes with the override is memory pressure',
    override('ollama', { families: { 'vllm:kv_cache_usage_perc': X } }),
    { kvUsageMeans: 'pool' },
  ],
  [
    'what Strata means by it stays, whatever it is called',
    override('strata', { families: { 'vllm:kv_cache_usage_perc': X } }),
    { kvUsageMeans: 'request-context' },
  ],
  [
    'a histogram of its own ends the stand-in of the gateway',
    override('llama-cpp', { families: { 'vllm:e2e_request_latency_seconds': X } }),
    { latencyHistograms: true },
  ],
  [
    'the gateway stands in where all of them are missing',
    override('vllm', {
      families: {
        'vllm:time_to_first_token_seconds': MISSING,
        'vllm:inter_token_latency_seconds': MISSING,
        'vllm:e2e_request_latency_seconds': MISSING,
      },
    }),
    { latencyHistograms: false },
  ],
  [
    'and does not where one is left',
    override('vllm', { families: { 'vllm:time_to_first_token_seconds': MISSING } }),
    { latencyHistograms: true },
  ],
])('%s', (_what, one, expected) => {
  expect(only(one)).toMatchObject(expected);
});
