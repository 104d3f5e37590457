import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { samplesOf } from '../../test/kit/page-samples.ts';
import { llamaCpp } from './llama-cpp.ts';
import { ollama } from './ollama.ts';
import { sglang } from './sglang.ts';
import { readSignals, signalNames } from './signals.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';

test('over ranks counts add up, and KV usage is that of the fullest', () => {
  const signals = readSignals(vllm, readPage('synthetic-vllm-v1-2026-dp4.prom').samples);
  expect(signals).toMatchObject({ running: 27, waiting: 9, kvUsage: 0.985, kvCapacityTokens: 4 * 198_000 });
  expect(signals.ranks[3]).toEqual({ rank: '3', running: 16, waiting: 9, kvUsage: 0.985 });
});

test.each([
  { state: 'idle', running: 0, waiting: 0 },
  { state: '6-concurrent', running: 4, waiting: 2 },
  { state: 'after', running: 0, waiting: 0 },
])(
  'the llama-server captured $state has $running running and $waiting waiting',
  ({ state, running, waiting }) => {
    const page = readPage(`llamacpp-v0.4.0-80fb11a-metrics-${state}.prom`);
    expect(readSignals(llamaCpp, page.samples)).toMatchObject({ running, waiting });
  },
);

test('absent is undefined: an empty page says nothing at all', () => {
  expect(readSignals(vllm, [])).toEqual({
    running: undefined,
    waiting: undefined,
    kvUsage: undefined,
    kvCapacityTokens: undefined,
    promptTokens: undefined,
    generationTokens: undefined,
    prefixQueries: undefined,
    prefixHits: undefined,
    preemptions: undefined,
    successes: undefined,
    progress: undefined,
    sleeping: undefined,
    ranks: [{ rank: '0', running: undefined, waiting: undefined, kvUsage: undefined }],
  });
});

test('NaN is absent, also beside a rank that has a value', () => {
  const page = samplesOf(
    'vllm:num_requests_running{engine="0"} NaN',
    'vllm:num_requests_waiting{engine="0"} NaN',
    'vllm:num_requests_waiting{engine="1"} 2',
    'vllm:kv_cache_usage_perc{engine="0"} NaN',
    'vllm:generation_tokens_total{engine="0"} NaN',
  );
  expect(readSignals(vllm, page)).toMatchObject({
    running: undefined,
    waiting: 2,
    kvUsage: undefined,
    generationTokens: undefined,
    progress: undefined,
  });
});

test.each([
  { labels: 'block_size="16",num_gpu_blocks="7281"', tokens: 116_496 },
  { labels: 'block_size="16",kv_cache_size_tokens="198000",num_gpu_blocks="12000"', tokens: 198_000 },
  { labels: 'block_size="16",kv_cache_size_tokens="None",num_gpu_blocks="100"', tokens: 1600 },
  { labels: 'block_size="16",num_gpu_blocks="None"', tokens: undefined },
  { labels: 'cache_dtype="auto"', tokens: undefined },
])('KV capacity of {$labels} is $tokens', ({ labels, tokens }) => {
  const page = samplesOf(`vllm:cache_config_info{${labels}} 1`);
  expect(readSignals(vllm, page).kvCapacityTokens).toBe(tokens);
});

test.each([
  { awake: [1, 1], sleeping: false },
  { awake: [0, 1], sleeping: false },
  { awake: [0, 0], sleeping: true },
])('ranks awake $awake: sleeping is $sleeping', ({ awake, sleeping }) => {
  const lines = awake.map(
    (value, rank) => `vllm:engine_sleep_state{engine="${rank}",sleep_state="awake"} ${value}`,
  );
  expect(readSignals(vllm, samplesOf(...lines)).sleeping).toBe(sleeping);
});

test.each([
  { profile: vllm, line: 'vllm:generation_tokens_total{engine="0"} 7' },
  { profile: llamaCpp, line: 'llamacpp:n_decode_total 7' },
  { profile: sglang, line: 'sglang:realtime_tokens_total{mode="decode"} 7' },
])('progress of $profile.kind is read from its own source', ({ profile, line }) => {
  expect(readSignals(profile, samplesOf(line)).progress).toBe(7);
});

test('progress is not counted twice where every TP rank reports it', () => {
  const { progress } = readSignals(sglang, readPage('synthetic-sglang-0.5-tp2-dp2.prom').samples);
  expect(progress).toBe(91_000 + 40_100);
});

test.each([trtllm, ollama])('$kind has no progress source', (profile) => {
  expect(readSignals(profile, samplesOf('trtllm_generation_tokens_total 7')).progress).toBeUndefined();
});

test('the names to keep hold old names and no histogram', () => {
  const names = signalNames(vllm);
  expect(names).toContain('vllm:gpu_cache_usage_perc');
  expect(names.filter((name) => /_(bucket|sum|count)$/.test(name))).toEqual([]);
});

// Were the series looked through once for each rank, this would take minutes.
test('100,000 ranks are read in one pass', () => {
  const page = Array.from({ length: 100_000 }, (_, rank) => ({
    name: 'vllm:num_requests_running',
    labels: { engine: String(rank) },
    value: 1,
  }));
  const { running, ranks } = readSignals(vllm, page);
  expect([running, ranks.length, ranks.at(-1)]).toEqual([
    100_000,
    100_000,
    { rank: '99999', running: 1, waiting: undefined, kvUsage: undefined },
  ]);
});

test('200,000 models of one rank are one figure of it', () => {
  const page = Array.from({ length: 200_000 }, (_, at) => ({
    name: 'vllm:kv_cache_usage_perc',
    labels: { engine: '0', model_name: `m${at}` },
    value: at === 7 ? 0.9 : 0.5,
  }));
  expect(readSignals(vllm, page)).toMatchObject({ kvUsage: 0.9, ranks: [{ rank: '0', kvUsage: 0.9 }] });
});
