import { expect, test } from 'vitest';
import { samplesOf } from '../../test/kit/page-samples.ts';
import { aphrodite } from './aphrodite.ts';
import { combined } from './combine.ts';
import { dynamoFrontend } from './dynamo-frontend.ts';
import { dynamoWorker } from './dynamo-worker.ts';
import { llmDSim } from './llm-d-sim.ts';
import { lmdeploy } from './lmdeploy.ts';
import { mindie } from './mindie.ts';
import { mistralrs } from './mistralrs.ts';
import { nim } from './nim.ts';
import type { EngineProfile } from './profile.ts';
import { rayVllm } from './ray-vllm.ts';
import { readSamples } from './read.ts';
import { readSignals } from './signals.ts';
import { strata } from './strata.ts';
import { tgi } from './tgi.ts';
import { triton } from './triton.ts';
import { vllm } from './vllm.ts';

function read(profile: EngineProfile, ...lines: readonly string[]) {
  const samples = samplesOf(...lines);
  const reading = readSamples(profile, samples);
  return { reading, values: combined(profile, reading), signals: readSignals(profile, samples) };
}

test('Ray: a counter that stands there twice is read once, from the name with _total', () => {
  const { signals } = read(
    rayVllm,
    'ray_vllm_prompt_tokens{ReplicaId="a"} 90',
    'ray_vllm_prompt_tokens_total{ReplicaId="a"} 100',
  );
  expect(signals.promptTokens).toBe(100);
});

test('Ray 2.52: a counter that comes only as a gauge without _total is read from there', () => {
  const { signals } = read(
    rayVllm,
    '# TYPE ray_vllm_generation_tokens gauge',
    'ray_vllm_generation_tokens{ReplicaId="a"} 7',
    'ray_vllm_request_success{ReplicaId="a",finished_reason="stop"} 3',
  );
  expect(signals).toMatchObject({ generationTokens: 7, progress: 7, successes: 3 });
});

test('Ray: the histogram named _total stays a histogram', () => {
  const { reading } = read(
    rayVllm,
    'ray_vllm_iteration_tokens_total_bucket{ReplicaId="a",le="+Inf"} 4',
    'ray_vllm_iteration_tokens_total_sum{ReplicaId="a"} 9',
    'ray_vllm_iteration_tokens_total_count{ReplicaId="a"} 4',
  );
  expect(reading.series.get('vllm:iteration_tokens_total')?.[0]?.value).toMatchObject({ count: 4, sum: 9 });
});

test('Ray: replicas on one page are ranks of one engine, told by ReplicaId, or by WorkerId before it', () => {
  const { reading, signals } = read(
    rayVllm,
    'ray_vllm_num_requests_running{ReplicaId="a",WorkerId="w1",engine="0"} 3',
    'ray_vllm_num_requests_running{ReplicaId="b",WorkerId="w2",engine="0"} 4',
    'ray_vllm_kv_cache_usage_perc{ReplicaId="a",WorkerId="w1",engine="0"} 0.2',
    'ray_vllm_kv_cache_usage_perc{ReplicaId="b",WorkerId="w2",engine="0"} 0.9',
  );
  expect(reading.ranks).toEqual(['a', 'b']);
  expect(signals).toMatchObject({ running: 7, kvUsage: 0.9 });
  expect(signals.ranks[1]).toEqual({ rank: 'b', running: 4, waiting: undefined, kvUsage: 0.9 });
  const old = read(
    rayVllm,
    'ray_vllm:num_requests_running{WorkerId="w1"} 1',
    'ray_vllm:num_requests_running{WorkerId="w2"} 2',
  );
  expect(old.reading.ranks).toEqual(['w1', 'w2']);
});

test("Ray's own labels are no part of the cache configuration, and its version is not vLLM's", () => {
  const { reading } = read(
    rayVllm,
    'ray_vllm_cache_config_info{Component="c",NodeAddress="n",SessionName="s",Version="2.52.0",WorkerId="w",ReplicaId="a",engine="0",block_size="16",num_gpu_blocks="100"} 1',
  );
  expect(reading.series.get('vllm:cache_config_info')).toEqual([
    { labels: { engine: 'a', block_size: '16', num_gpu_blocks: '100' }, value: 1 },
  ]);
  expect(rayVllm.version).toBeUndefined();
});

test('hit rates of -1 say that the feature is off, under Ray and in V0', () => {
  for (const [profile, prefix] of [
    [rayVllm, 'ray_vllm:'],
    [vllm, 'vllm:'],
  ] as const) {
    const { values } = read(
      profile,
      `${prefix}gpu_prefix_cache_hit_rate{model_name="m"} -1`,
      `${prefix}cpu_prefix_cache_hit_rate{model_name="m"} 0.5`,
    );
    expect(values).toEqual({ 'vllm:cpu_prefix_cache_hit_rate': 0.5 });
  }
});

test("offloading's old family for both directions is told apart, and not added to the new ones", () => {
  const old = [
    'vllm:kv_offload_total_bytes_total{engine="0",transfer_type="CPU_to_GPU"} 10',
    'vllm:kv_offload_total_bytes_total{engine="0",transfer_type="GPU_to_CPU"} 20',
  ];
  expect(read(vllm, ...old).values).toEqual({
    'vllm:kv_offload_load_bytes_total': 10,
    'vllm:kv_offload_store_bytes_total': 20,
  });
  const both = read(vllm, ...old, 'vllm:kv_offload_load_bytes_total{engine="0"} 11');
  expect(both.values['vllm:kv_offload_load_bytes_total']).toBe(11);
});

test("TGI's token counters are the sums of histograms, and its KV figure is a reservation", () => {
  const { signals } = read(
    tgi,
    'tgi_request_input_length_bucket{le="+Inf"} 2',
    'tgi_request_input_length_sum 900',
    'tgi_request_input_length_count 2',
    'tgi_batch_current_max_tokens 500',
    'tgi_batch_max_total_tokens 2000',
  );
  expect(signals).toMatchObject({ promptTokens: 900, kvUsage: 0.25, kvCapacityTokens: 2000 });
  expect(tgi.kvUsageMeans).toBe('reservation');
});

test('TGI has no first token: an estimate from batches is not published as one', () => {
  const { values } = read(
    tgi,
    'tgi_batch_inference_duration_sum{method="prefill"} 12',
    'tgi_batch_inference_duration_count{method="prefill"} 110',
  );
  expect(values).toEqual({});
  expect(tgi.families['vllm:time_to_first_token_seconds']).toHaveProperty('missing');
});

test("LMDeploy's printed enums become reasons, its two queues one, and its cumulative gauges stay its own", () => {
  const { values, signals } = read(
    lmdeploy,
    'lmdeploy:request_success_total{engine="0",finished_reason="ResponseType.FINISH"} 5',
    'lmdeploy:request_success_total{engine="0",finished_reason="ResponseType.LENGTH"} 2',
    'lmdeploy:request_success_total{engine="0",finished_reason="ResponseType.SOMETHING"} 1',
    'lmdeploy:num_requests_waiting{engine="0"} 3',
    'lmdeploy:num_api_requests_waiting{engine="0"} 4',
    'lmdeploy:num_requests_succeeded{engine="0"} 99',
  );
  expect(values).toMatchObject({
    'vllm:request_success_total{finished_reason="stop"}': 5,
    'vllm:request_success_total{finished_reason="length"}': 2,
    'vllm:request_success_total{finished_reason="other"}': 1,
  });
  expect(signals).toMatchObject({ waiting: 7, successes: 8 });
});

test("LMDeploy's gap histogram is in seconds in spite of its name", () => {
  const { values } = read(
    lmdeploy,
    'lmdeploy:iter_token_latency_sum 2.5',
    'lmdeploy:iter_token_latency_count 100',
  );
  expect(values['vllm:inter_token_latency_seconds']).toEqual({ count: 100, sum: 2.5 });
});

test('Triton: one family has many meanings, and the label says which is read', () => {
  const metric = (type: string, value: number) =>
    `nv_trt_llm_request_metrics{model="m",request_type="${type}",version="1"} ${value}`;
  const { signals } = read(
    triton,
    metric('max', 512),
    metric('scheduled', 9),
    metric('active', 7),
    metric('waiting', 2),
    'nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="fraction",model="m",version="1"} 0.25',
    'nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="used",model="m",version="1"} 1600',
  );
  expect(signals).toMatchObject({ running: 7, waiting: 2, kvUsage: 0.25 });
});

test("Triton's milliseconds to the first response become seconds, bounds too", () => {
  const { reading } = read(
    triton,
    'nv_inference_first_response_histogram_ms_bucket{model="m",le="500"} 3',
    'nv_inference_first_response_histogram_ms_bucket{model="m",le="+Inf"} 4',
    'nv_inference_first_response_histogram_ms_sum{model="m"} 2600',
    'nv_inference_first_response_histogram_ms_count{model="m"} 4',
  );
  expect(reading.series.get('vllm:time_to_first_token_seconds')?.[0]?.value).toEqual({
    buckets: [
      { le: 0.5, count: 3 },
      { le: Number.POSITIVE_INFINITY, count: 4 },
    ],
    sum: 2.6,
    count: 4,
  });
});

test('Triton: summaries and sums in microseconds are no latency distribution', () => {
  const { values } = read(
    triton,
    'nv_inference_request_duration_us{model="m"} 1327965',
    'nv_inference_request_summary_us{model="m",quantile="0.5"} 3',
  );
  expect(values).toEqual({});
});

test('Dynamo: what is in flight includes what is queued, so the queue is taken away from what runs', () => {
  const both = read(
    dynamoFrontend,
    'dynamo_frontend_inflight_requests{model="m"} 10',
    'dynamo_frontend_queued_requests{model="m"} 7',
  );
  expect(both.signals).toMatchObject({ running: 3, waiting: 7 });
  const newer = read(dynamoFrontend, 'dynamo_frontend_active_requests{model="m"} 10');
  expect(newer.signals).toMatchObject({ running: 10, waiting: undefined });
});

test("Dynamo's first bucket of 0 and its lower-cased model name stand as they are", () => {
  const { reading } = read(
    dynamoFrontend,
    'dynamo_frontend_inter_token_latency_seconds_bucket{le="0",model="qwen/qwen3"} 0',
    'dynamo_frontend_inter_token_latency_seconds_bucket{le="+Inf",model="qwen/qwen3"} 2',
  );
  expect(reading.modelName).toBe('qwen/qwen3');
  expect(reading.series.get('vllm:inter_token_latency_seconds')?.[0]?.value).toMatchObject({
    buckets: [{ le: 0 }, {}],
  });
});

test.each([
  { inside: 'vLLM', line: 'vllm:num_requests_running{engine="0"} 4', running: 4 },
  { inside: 'SGLang', line: 'sglang:num_running_reqs{tp_rank="0"} 5', running: 5 },
  { inside: 'TensorRT-LLM', line: 'trtllm_num_requests_running{model_name="m"} 6', running: 6 },
  { inside: 'nothing', line: 'x 1', running: 9 },
])(
  'a Dynamo worker with $inside inside is read by its engine, else by its own count',
  ({ line, running }) => {
    const { signals } = read(
      dynamoWorker,
      'dynamo_component_inflight_requests{dynamo_component="c"} 9',
      line,
    );
    expect(signals.running).toBe(running);
  },
);

test("a Dynamo worker's percent is a ratio", () => {
  const { signals } = read(
    dynamoWorker,
    'dynamo_component_gpu_cache_usage_percent{dynamo_component="c"} 0.4',
  );
  expect(signals.kvUsage).toBe(0.4);
});

test('llm-d-inference-sim: of both names for the gap one is read, and its label for the reason', () => {
  const { values, signals } = read(
    llmDSim,
    'vllm:time_per_output_token_seconds_count{model_name="m"} 5',
    'vllm:inter_token_latency_seconds_count{model_name="m"} 7',
    'vllm:request_success_total{finish_reason="tool_calls",model_name="m"} 2',
    'vllm:request_success_total{finish_reason="remote_decode",model_name="m"} 1',
    'vllm:max_num_generation_tokens_count{model_name="m"} 3',
  );
  expect(values).toMatchObject({
    'vllm:inter_token_latency_seconds': { count: 7 },
    'vllm:request_success_total{finished_reason="stop"}': 2,
    'vllm:request_success_total{finished_reason="other"}': 1,
    'vllm:request_max_num_generation_tokens': { count: 3 },
  });
  expect(signals.successes).toBe(3);
});

test('mistral.rs: sequences are no tokens, and prompt and answer in one are neither', () => {
  const { values, signals } = read(
    mistralrs,
    'mistralrs_tokens_processed_total 90500',
    'mistralrs_prefix_cache_lookups_total 120',
    'mistralrs_prefix_cache_hits_total 41',
    'mistralrs_sequences_completed_total{reason="canceled"} 3',
  );
  expect(values).toEqual({ 'vllm:request_success_total{finished_reason="other"}': 3 });
  expect(signals).toMatchObject({ promptTokens: undefined, prefixHits: undefined, progress: 90_500 });
});

test('mistral.rs: only its own paths are in its request time, and blocks without their size no capacity', () => {
  const { values, signals } = read(
    mistralrs,
    'http_request_duration_seconds_count{path="/health"} 900',
    'http_request_duration_seconds_count{path="/v1/chat/completions"} 4',
    'mistralrs_kv_cache_blocks_total 100',
  );
  expect(values['vllm:e2e_request_latency_seconds']).toEqual({ count: 4, sum: undefined });
  expect(signals.kvCapacityTokens).toBeUndefined();
});

test.each([
  { profile: nim, usage: 'gpu_cache_usage_perc' },
  { profile: mindie, usage: 'npu_cache_usage_perc' },
])('$profile.kind speaks without a prefix, with a KV name of its own', ({ profile, usage }) => {
  const { signals } = read(
    profile,
    'num_requests_running{model_name="m"} 2',
    `${usage}{model_name="m"} 0.5`,
    'prompt_tokens_total 7',
  );
  expect(signals).toMatchObject({ running: 2, kvUsage: 0.5, promptTokens: 7 });
});

test("Aphrodite's names are vLLM's under its own prefix, renames of before included", () => {
  const { signals } = read(
    aphrodite,
    'aphrodite:num_requests_running{engine="0"} 2',
    'aphrodite:gpu_cache_usage_perc{engine="0"} 0.3',
    'vllm:num_requests_waiting{engine="0"} 9',
  );
  expect(signals).toMatchObject({ running: 2, kvUsage: 0.3, waiting: undefined });
});

test("Strata's page of llama.cpp's names counts cached prompt tokens in, unlike llama.cpp's", () => {
  const { signals } = read(
    strata,
    'llamacpp:prompt_tokens_total 51230',
    'llamacpp:requests_processing 1',
    'strata:requests_total 47',
  );
  expect(signals).toMatchObject({ promptTokens: 51_230, running: 1, successes: 47, kvUsage: undefined });
});
