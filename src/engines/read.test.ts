import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { samplesOf } from '../../test/kit/page-samples.ts';
import { llamaCpp } from './llama-cpp.ts';
import { readSamples } from './read.ts';
import { sglang } from './sglang.ts';
import { strata } from './strata.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';

test('data-parallel ranks stay apart, in the order of the page', () => {
  const { series, ranks } = readSamples(vllm, readPage('synthetic-vllm-v1-2026-dp4.prom').samples);
  expect(ranks).toEqual(['0', '1', '2', '3']);
  expect(series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 6 },
    { labels: { engine: '1' }, value: 5 },
    { labels: { engine: '2' }, value: 0 },
    { labels: { engine: '3' }, value: 16 },
  ]);
});

test('copies by tp_rank are read once, and the breakdown by priority is not added to its total', () => {
  const { series } = readSamples(sglang, readPage('synthetic-sglang-0.5-tp2-dp2.prom').samples);
  expect(series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 9 },
    { labels: { engine: '1' }, value: 4 },
  ]);
});

test('with data-parallel attention each rank keeps its own smallest tp_rank', () => {
  const { series } = readSamples(
    sglang,
    samplesOf(
      'sglang:num_running_reqs{dp_rank="0",tp_rank="0"} 3',
      'sglang:num_running_reqs{dp_rank="0",tp_rank="1"} 3',
      'sglang:num_running_reqs{dp_rank="1",tp_rank="10"} 5',
      'sglang:num_running_reqs{dp_rank="1",tp_rank="9"} 4',
    ),
  );
  expect(series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 3 },
    { labels: { engine: '1' }, value: 4 },
  ]);
});

test('a copy that another process wrote is still a copy', () => {
  const { series } = readSamples(
    sglang,
    samplesOf(
      'sglang:num_queue_reqs{tp_rank="0",pid="4711"} 2',
      'sglang:num_queue_reqs{tp_rank="1",pid="4712"} 2',
    ),
  );
  expect(series.get('vllm:num_requests_waiting')).toEqual([{ labels: { engine: '0' }, value: 2 }]);
});

test.each([
  { name: 'the total beside its parts', lines: ['device"} 7', 'host"} 2', 'total"} 9'] },
  { name: 'the parts where there is no total', lines: ['device"} 7', 'host"} 2'] },
])('cached tokens by cache_source are $name', ({ lines }) => {
  const page = samplesOf(...lines.map((line) => `sglang:cached_tokens_total{cache_source="${line}`));
  const { series } = readSamples(sglang, page);
  expect(series.get('vllm:prompt_tokens_cached_total')).toEqual([{ labels: { engine: '0' }, value: 9 }]);
});

test('both halves of is_streaming together are the figure, histograms too', () => {
  const { series } = readSamples(sglang, readPage('synthetic-sglang-0.5-tp2-dp2.prom').samples);
  expect(series.get('vllm:prompt_tokens_total')).toEqual([{ labels: { engine: '0' }, value: 352_317 }]);
  const [first, ...others] = series.get('vllm:time_to_first_token_seconds') ?? [];
  expect(others).toEqual([]);
  expect(first?.value).toMatchObject({ count: 371, sum: 137.112 });
});

test('histograms of unequal bounds are never summed', () => {
  const half = (streaming: string, bound: string, count: number): readonly string[] => [
    `sglang:e2e_request_latency_seconds_bucket{is_streaming="${streaming}",le="${bound}"} ${count}`,
    `sglang:e2e_request_latency_seconds_bucket{is_streaming="${streaming}",le="+Inf"} ${count}`,
  ];
  const { series } = readSamples(sglang, samplesOf(...half('True', '1.0', 3), ...half('False', '2.0', 5)));
  expect(series.get('vllm:e2e_request_latency_seconds')?.map(({ value }) => value)).toEqual([
    {
      buckets: [
        { le: 1, count: 3 },
        { le: Number.POSITIVE_INFINITY, count: 3 },
      ],
      sum: undefined,
      count: 3,
    },
  ]);
});

test('waiting is the queue, the grammar queue and the queues of prefill and decode roles', () => {
  const { series } = readSamples(
    sglang,
    samplesOf(
      'sglang:num_queue_reqs 4',
      'sglang:num_grammar_queue_reqs 2',
      'sglang:num_decode_prealloc_queue_reqs 1',
      'sglang:num_decode_transfer_queue_reqs 3',
    ),
  );
  expect(series.get('vllm:num_requests_waiting')).toEqual([{ labels: { engine: '0' }, value: 10 }]);
});

test('a side queue alone does not pass for the waiting requests', () => {
  const { series } = readSamples(sglang, samplesOf('sglang:num_grammar_queue_reqs 0'));
  expect(series.has('vllm:num_requests_waiting')).toBe(false);
});

test('names whose colon was escaped are the same names', () => {
  const { series } = readSamples(sglang, samplesOf('sglang_num_running_reqs 6'));
  expect(series.get('vllm:num_requests_running')).toEqual([{ labels: { engine: '0' }, value: 6 }]);
});

test('_created series are nothing', () => {
  const page = readPage('synthetic-vllm-v1-2026-all-optional-with-created.prom').samples;
  const without = page.filter(({ name }) => !name.endsWith('_created'));
  expect(without.length).toBeLessThan(page.length);
  expect(readSamples(vllm, page)).toEqual(readSamples(vllm, without));
});

test('while an old and a new name are both served, the new one is read', () => {
  const { series } = readSamples(
    vllm,
    samplesOf(
      'vllm:gpu_cache_usage_perc{engine="0"} 0.5',
      'vllm:kv_cache_usage_perc{engine="0"} 0.5',
      'vllm:gpu_prefix_cache_hits_total{engine="0"} 10',
      'vllm:prefix_cache_hits_total{engine="0"} 10',
    ),
  );
  expect(series.get('vllm:kv_cache_usage_perc')).toEqual([{ labels: { engine: '0' }, value: 0.5 }]);
  expect(series.get('vllm:prefix_cache_hits_total')).toEqual([{ labels: { engine: '0' }, value: 10 }]);
});

test('names of V0 and early V1 are read where there are no others', () => {
  const { series } = readSamples(
    vllm,
    samplesOf(
      'vllm:gpu_cache_usage_perc{model_name="m"} 0.25',
      'vllm:gpu_prefix_cache_queries_total{model_name="m"} 8',
      'vllm:time_per_output_token_seconds_bucket{le="+Inf",model_name="m"} 6',
      'vllm:time_per_output_token_seconds_count{model_name="m"} 6',
      'vllm:time_per_output_token_seconds_sum{model_name="m"} 0.3',
    ),
  );
  expect([...series.keys()]).toEqual([
    'vllm:kv_cache_usage_perc',
    'vllm:prefix_cache_queries_total',
    'vllm:inter_token_latency_seconds',
  ]);
});

test('hit rates of -1 (V0: the cache is off) become no prefix figure', () => {
  const { series } = readSamples(
    vllm,
    samplesOf(
      'vllm:gpu_prefix_cache_hit_rate{model_name="m"} -1',
      'vllm:num_requests_running{model_name="m"} 0',
    ),
  );
  expect([...series.keys()]).toEqual(['vllm:num_requests_running']);
});

test('families declared without samples are absent', () => {
  const { series } = readSamples(
    vllm,
    samplesOf(
      '# HELP vllm:num_requests_running Number of requests running.',
      '# TYPE vllm:num_requests_running gauge',
      '# TYPE vllm:num_requests_waiting gauge',
    ),
  );
  expect(series.size).toBe(0);
});

test.each(['counter', 'gauge', 'untyped'])('a value is read though its family is declared %s', (type) => {
  const page = samplesOf(
    `# TYPE vllm:num_requests_running ${type}`,
    'vllm:num_requests_running{engine="0"} 3',
  );
  expect(readSamples(vllm, page).series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 3 },
  ]);
});

test('of the LoRA series that pile up only the newest of a rank is kept', () => {
  const { series } = readSamples(vllm, readPage('synthetic-vllm-v1-2026-core.prom').samples);
  expect(series.get('vllm:lora_requests_info')?.map(({ labels }) => labels['running_lora_adapters'])).toEqual(
    ['sql-a,chat-b'],
  );
});

test("a second model's series stand beside the first model's and are not merged into them", () => {
  const { series, modelName } = readSamples(
    vllm,
    samplesOf(
      'vllm:num_requests_running{engine="0",model_name="first"} 1',
      'vllm:num_requests_running{engine="0",model_name="second"} 2',
    ),
  );
  expect(modelName).toBe('first');
  expect(series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 1 },
    { labels: { engine: '0', model_name: 'second' }, value: 2 },
  ]);
});

test('a placeholder for the model is no model, and names without prefix are TensorRT-LLM before 1.3', () => {
  const { series, modelName } = readSamples(
    trtllm,
    samplesOf(
      'request_success_total{engine_type="undefined",finished_reason="stop",model_name="undefined"} 2',
    ),
  );
  expect(modelName).toBeUndefined();
  expect(series.get('vllm:request_success_total')).toEqual([
    { labels: { engine: '0', finished_reason: 'stop' }, value: 2 },
  ]);
});

test('TensorRT-LLM: timeout and cancelled are aborts, an unknown reason falls under one word', () => {
  const { series } = readSamples(
    trtllm,
    samplesOf(
      'trtllm_request_success_total{finished_reason="stop"} 5',
      'trtllm_request_success_total{finished_reason="timeout"} 1',
      'trtllm_request_success_total{finished_reason="cancelled"} 2',
      'trtllm_request_success_total{finished_reason="novel"} 4',
      'trtllm_request_error_total{http_code="500"} 3',
    ),
  );
  expect(series.get('vllm:request_success_total')).toEqual([
    { labels: { engine: '0', finished_reason: 'stop' }, value: 5 },
    { labels: { engine: '0', finished_reason: 'abort' }, value: 3 },
    { labels: { engine: '0', finished_reason: 'other' }, value: 4 },
    { labels: { engine: '0', finished_reason: 'error' }, value: 3 },
  ]);
});

test('TensorRT-LLM: KV usage is used over all blocks where the ratio is not served', () => {
  const { series } = readSamples(
    trtllm,
    samplesOf('trtllm_kv_cache_used_blocks 30', 'trtllm_kv_cache_max_blocks 120'),
  );
  expect(series.get('vllm:kv_cache_usage_perc')).toEqual([{ labels: { engine: '0' }, value: 0.25 }]);
});

test('TensorRT-LLM: no blocks yet is no usage, not a division by zero', () => {
  const page = samplesOf('trtllm_kv_cache_used_blocks 0', 'trtllm_kv_cache_max_blocks 0');
  expect(readSamples(trtllm, page).series.has('vllm:kv_cache_usage_perc')).toBe(false);
});

test('llama.cpp: prompt tokens are those processed and those reused', () => {
  const { series, modelName } = readSamples(
    llamaCpp,
    samplesOf('llamacpp:prompt_tokens_total 76', 'llamacpp:prompt_tokens_cached_total 6'),
  );
  expect(series.get('vllm:prompt_tokens_total')).toEqual([{ labels: { engine: '0' }, value: 82 }]);
  expect(series.get('vllm:prefix_cache_queries_total')).toEqual([{ labels: { engine: '0' }, value: 82 }]);
  expect(modelName).toBeUndefined();
});

test('llama.cpp before 2026 has no cached tokens, and so no prefix figures', () => {
  const { series } = readSamples(llamaCpp, samplesOf('llamacpp:prompt_tokens_total 65'));
  expect(series.get('vllm:prompt_tokens_total')).toEqual([{ labels: { engine: '0' }, value: 65 }]);
  expect(series.has('vllm:prefix_cache_queries_total')).toBe(false);
});

test('llama.cpp before May 2025 has its KV usage', () => {
  const { series } = readSamples(llamaCpp, samplesOf('llamacpp:kv_cache_usage_ratio 0.4'));
  expect(series.get('vllm:kv_cache_usage_perc')).toEqual([{ labels: { engine: '0' }, value: 0.4 }]);
});

test("Strata's preemptions, always 0, are not taken for a count", () => {
  const { series } = readSamples(strata, readPage('synthetic-strata-vllm-form.prom').samples);
  expect(series.has('vllm:num_preemptions_total')).toBe(false);
  expect(series.get('vllm:num_requests_waiting')).toEqual([{ labels: { engine: '0' }, value: 2 }]);
});

test('only the families asked for are read', () => {
  const { series } = readSamples(
    vllm,
    readPage('synthetic-vllm-v1-2026-core.prom').samples,
    new Set(['vllm:num_requests_waiting']),
  );
  expect([...series.keys()]).toEqual(['vllm:num_requests_waiting']);
});
