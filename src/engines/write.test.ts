import { expect, test } from 'vitest';
import { pageText, readPage } from '../../test/kit/engine-pages.ts';
import type { Sample } from '../exposition/exposition.ts';
import { emptyReading } from './empty-reading.ts';
import { genericProfile } from './generic.ts';
import { llamaCpp } from './llama-cpp.ts';
import { ollama } from './ollama.ts';
import type { EngineProfile } from './profile.ts';
import { readSamples } from './read.ts';
import type { Reading, Series } from './reading.ts';
import { sglang } from './sglang.ts';
import { readSignals } from './signals.ts';
import { strata } from './strata.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';
import { pageOf } from './write.ts';
import type { OwnValues } from './write-own.ts';

const atRest = (profile: EngineProfile, ranks: readonly string[] = ['0']): Reading =>
  emptyReading(profile, { modelName: 'm', ranks });

const typesOf = (families: readonly { readonly name: string; readonly type: string }[]) =>
  Object.fromEntries(families.map(({ name, type }) => [name, type]));

const samplesOf = (profile: EngineProfile, reading: Reading, own?: OwnValues) =>
  pageOf(profile, reading, own).flatMap(({ samples }) => samples);

const withSeries = (reading: Reading, name: string, series: readonly Series[]): Reading => ({
  ...reading,
  series: new Map([...reading.series, [name, series]]),
});

const list = pageText('vllm-0.26.0-families.txt');
test.skipIf(list === undefined)(
  `vLLM's first page has exactly the families of 0.26.0${list === undefined ? ' (skipped: no ../shared/fixtures)' : ''}`,
  () => {
    const rows = (list ?? '').trim().split('\n');
    const expected = Object.fromEntries(rows.map((row) => row.split(' ')));
    expect(typesOf(pageOf(vllm, atRest(vllm)))).toEqual(expected);
  },
);

test.each([
  { profile: sglang, file: 'synthetic-sglang-0.5-tp2-dp2.prom' },
  { profile: trtllm, file: 'synthetic-trtllm-1.3-iter-stats.prom' },
  { profile: strata, file: 'synthetic-strata-vllm-form.prom' },
  { profile: llamaCpp, file: 'llamacpp-v0.4.0-80fb11a-metrics-idle.prom' },
])("$profile.kind's first page has exactly the families of $file", ({ profile, file }) => {
  expect(typesOf(pageOf(profile, atRest(profile)))).toEqual(typesOf(readPage(file).families));
});

test.each([vllm, sglang, trtllm, strata, llamaCpp])(
  "each family of $kind's first page has a sample",
  (profile) => {
    for (const { name, samples } of pageOf(profile, atRest(profile))) expect(samples, name).not.toEqual([]);
  },
);

test.each([
  { profile: trtllm, file: 'synthetic-trtllm-1.3-iter-stats.prom' },
  { profile: strata, file: 'synthetic-strata-vllm-form.prom' },
  { profile: llamaCpp, file: 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom' },
])('the series of $file, bounds included, are those that $profile.kind writes', ({ profile, file }) => {
  const seriesOf = (samples: readonly Sample[]): readonly string[] =>
    samples
      // The model's name and the spelling of a bound are not what is compared.
      .map(({ name, labels }) => {
        const { le, model_name, ...others } = labels;
        const bound = le === undefined ? {} : { le: le === '+Inf' ? le : Number(le) };
        return `${name} ${JSON.stringify(Object.entries({ ...others, ...bound }).sort())}`;
      })
      .sort();
  expect(seriesOf(samplesOf(profile, atRest(profile)))).toEqual(seriesOf(readPage(file).samples));
});

test("SGLang's scheduler series carry the real label set, with dp_rank only where there are several", () => {
  const labelsOf = (reading: Reading, name: string) =>
    samplesOf(sglang, reading)
      .filter((sample) => sample.name === name)
      .map(({ labels }) => Object.keys(labels));
  const scheduler = ['engine_type', 'model_name', 'moe_ep_rank', 'pp_rank', 'priority', 'tp_rank'];
  expect(labelsOf(atRest(sglang), 'sglang:num_running_reqs')).toEqual([scheduler]);
  expect(labelsOf(atRest(sglang, ['0', '1']), 'sglang:num_running_reqs')).toEqual([
    ['dp_rank', ...scheduler],
    ['dp_rank', ...scheduler],
  ]);
  expect(labelsOf(atRest(sglang), 'sglang:prompt_tokens_total')).toEqual([
    ['is_streaming', 'model_name'],
    ['is_streaming', 'model_name'],
  ]);
});

test('an info family of vLLM names no model', () => {
  const info = samplesOf(vllm, atRest(vllm)).filter(({ name }) => name === 'vllm:cache_config_info');
  expect(info.map(({ labels }) => Object.keys(labels))).toEqual([['block_size', 'engine', 'num_gpu_blocks']]);
});

test('token counters of a whole process are written once, whatever rank counted them', () => {
  const counted = withSeries(atRest(sglang, ['0', '1']), 'vllm:generation_tokens_total', [
    { labels: { engine: '0' }, value: 5 },
    { labels: { engine: '1' }, value: 7 },
  ]);
  expect(readSignals(sglang, samplesOf(sglang, counted)).generationTokens).toBe(12);
});

test('aborted requests of TensorRT-LLM are written once and read back as aborted', () => {
  const finished = withSeries(atRest(trtllm), 'vllm:request_success_total', [
    { labels: { engine: '0', finished_reason: 'abort' }, value: 3 },
  ]);
  const page = samplesOf(trtllm, finished);
  const reasons = page.filter(({ name }) => name === 'trtllm_request_success_total');
  expect(Object.fromEntries(reasons.map(({ labels, value }) => [labels['finished_reason'], value]))).toEqual({
    timeout: 3,
    stop: 0,
    length: 0,
    cancelled: 0,
  });
  expect(readSignals(trtllm, page).successes).toBe(3);
});

test('llama.cpp takes cached tokens out of its prompt counter again', () => {
  const reading = withSeries(
    withSeries(atRest(llamaCpp), 'vllm:prompt_tokens_total', [{ labels: { engine: '0' }, value: 82 }]),
    'vllm:prompt_tokens_cached_total',
    [{ labels: { engine: '0' }, value: 6 }],
  );
  const values = new Map(samplesOf(llamaCpp, reading).map(({ name, value }) => [name, value]));
  expect(values.get('llamacpp:prompt_tokens_total')).toBe(76);
  expect(values.get('llamacpp:prompt_tokens_cached_total')).toBe(6);
});

test("a kind's own values are written where they belong, and the grammar queue is a part of the waiting", () => {
  const waiting = withSeries(atRest(sglang), 'vllm:num_requests_waiting', [
    { labels: { engine: '0' }, value: 5 },
  ]);
  const page = samplesOf(sglang, waiting, {
    'sglang:num_grammar_queue_reqs': 2,
    'sglang:realtime_tokens_total': [
      { labels: { engine: '0', mode: 'decode' }, value: 40 },
      { labels: { engine: '0', mode: 'prefill_compute' }, value: 60 },
    ],
  });
  const value = (wanted: string) => page.find(({ name }) => name === wanted)?.value;
  expect(value('sglang:num_queue_reqs')).toBe(3);
  expect(value('sglang:num_grammar_queue_reqs')).toBe(2);
  expect(readSignals(sglang, page)).toMatchObject({ waiting: 5, progress: 100 });
});

test('progress of llama.cpp is its own decode count', () => {
  const page = samplesOf(llamaCpp, atRest(llamaCpp), { 'llamacpp:n_decode_total': 379 });
  expect(readSignals(llamaCpp, page).progress).toBe(379);
});

test('families that need a flag are written once the state has them', () => {
  const drafts: readonly Series[] = [{ labels: { engine: '0' }, value: 9 }];
  const page = samplesOf(vllm, withSeries(atRest(vllm), 'vllm:spec_decode_num_drafts_total', drafts));
  expect(readSamples(vllm, page).series.get('vllm:spec_decode_num_drafts_total')).toEqual(drafts);
});

test('an engine at rest is awake', () => {
  expect(readSignals(vllm, samplesOf(vllm, atRest(vllm))).sleeping).toBe(false);
});

test('an empty reading takes bounds and cache labels from its options', () => {
  const { series } = emptyReading(vllm, {
    modelName: 'm',
    bounds: { 'vllm:request_prompt_tokens': [1, 2, 5] },
    cacheConfig: { block_size: '32', num_gpu_blocks: '10' },
  });
  const [prompt] = series.get('vllm:request_prompt_tokens') ?? [];
  expect(prompt?.value).toMatchObject({ buckets: [{ le: 1 }, { le: 2 }, { le: 5 }, { le: Infinity }] });
  expect(readSignals(vllm, samplesOf(vllm, { ...atRest(vllm), series })).kvCapacityTokens).toBe(320);
});

test.each([ollama, genericProfile])('nobody writes a page as $kind', (profile) => {
  expect(pageOf(profile, atRest(profile))).toEqual([]);
});
