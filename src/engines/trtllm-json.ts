import type { EngineProfile, JsonSample, Source, Supply } from './profile.ts';
import { trtllm } from './trtllm.ts';

/** An idle engine, or another reader before us, leaves nothing to read. */
const newest = (name: string): Source => ({ names: [`trtllm_${name}`], optional: true });
const PER_READ = 'Its records are gone once read, so what they count cannot be added up here.';

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': newest('num_requests_running'),
  'vllm:num_requests_waiting': newest('num_requests_waiting'),
  'vllm:kv_cache_usage_perc': { ratio: [newest('kv_cache_used_blocks'), newest('kv_cache_max_blocks')] },
  'vllm:cache_config_info': {
    info: { block_size: newest('kv_cache_tokens_per_block'), num_gpu_blocks: newest('kv_cache_max_blocks') },
  },
  'vllm:prompt_tokens_total': { missing: PER_READ },
  'vllm:generation_tokens_total': { missing: PER_READ },
  'vllm:request_success_total': { missing: PER_READ },
  'vllm:time_to_first_token_seconds': { missing: 'Its records are of iterations, not of requests.' },
  'vllm:inter_token_latency_seconds': { missing: 'Its records are of iterations, not of requests.' },
  'vllm:e2e_request_latency_seconds': { missing: 'Its records are of iterations, not of requests.' },
};

const at = (name: string, path: string, over?: number): JsonSample => ({
  name: `trtllm_${name}`,
  at: path,
  ...(over === undefined ? {} : { over }),
});

/**
 * TensorRT-LLM's JSON of iterations, for servers without the text page. Reading it takes the records away from every
 * other reader: it is read only where a config says this kind.
 */
export const trtllmJson: EngineProfile = {
  ...trtllm,
  kind: 'trtllm-json',
  title: 'TensorRT-LLM, JSON',
  onlyByConfig: true,
  verifiedAgainst: [
    { version: '1.x, one record', how: 'capture' },
    { version: '0.2x', how: 'documentation' },
  ],
  metrics: {
    path: '/metrics',
    accept: 'application/json',
    guarded: false,
    onByDefault: false,
    otherForm: {
      json: {
        newestOf: true,
        samples: [
          at('num_requests_running', 'numActiveRequests'),
          at('num_requests_waiting', 'numQueuedRequests'),
          at('kv_cache_used_blocks', 'kvCacheStats.usedNumBlocks'),
          at('kv_cache_free_blocks', 'kvCacheStats.freeNumBlocks'),
          at('kv_cache_max_blocks', 'kvCacheStats.maxNumBlocks'),
          at('kv_cache_tokens_per_block', 'kvCacheStats.tokensPerBlock'),
          at('kv_cache_hit_rate', 'kvCacheStats.cacheHitRate'),
          at('max_num_active_requests', 'maxNumActiveRequests'),
          at('iteration_latency_seconds', 'iterLatencyMS', 1000),
          at('gpu_memory_usage_bytes', 'gpuMemUsage'),
          at('cpu_memory_usage_bytes', 'cpuMemUsage'),
          at('pinned_memory_usage_bytes', 'pinnedMemUsage'),
          at('num_context_requests', 'inflightBatchingStats.numContextRequests'),
          at('num_generation_requests', 'inflightBatchingStats.numGenRequests'),
          at('num_paused_requests', 'inflightBatchingStats.numPausedRequests'),
          at('num_scheduled_requests', 'inflightBatchingStats.numScheduledRequests'),
          at('total_context_tokens', 'inflightBatchingStats.numCtxTokens'),
          at('avg_decoded_tokens_per_iter', 'inflightBatchingStats.avgNumDecodedTokensPerIter'),
          at('spec_decode_acceptance_length', 'specDecodingStats.acceptanceLength'),
          at('spec_decode_draft_overhead', 'specDecodingStats.draftOverhead'),
        ],
      },
    },
  },
  latencyHistograms: false,
  families,
  page: undefined,
  launch: [
    {
      flag: 'enable_iter_perf_stats: true',
      brings: 'the records at /metrics (in the YAML)',
      needed: true,
      forPage: true,
    },
  ],
  doubts: [
    'Reading this page empties it: with a second reader, another gateway or a Prometheus exporter, each sees only a part.',
    'An idle engine has nothing to say: its figures are then absent, not 0.',
  ],
  detect: () => undefined,
};
