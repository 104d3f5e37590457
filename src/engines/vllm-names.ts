import type { CatalogFamily } from '../catalog/family.ts';
import { vllmFamilies } from '../catalog/vllm.ts';
import type { Source, Supply } from './profile.ts';

/**
 * Names before renames, by today's. 0.9.2 to 0.10 serve both, so only one may be read. Early V1 counted prefix
 * queries in blocks; hits over queries holds for either.
 */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  'vllm:kv_cache_usage_perc': 'vllm:gpu_cache_usage_perc',
  'vllm:prefix_cache_queries_total': 'vllm:gpu_prefix_cache_queries_total',
  'vllm:prefix_cache_hits_total': 'vllm:gpu_prefix_cache_hits_total',
  'vllm:inter_token_latency_seconds': 'vllm:time_per_output_token_seconds',
};

/** One family for both directions, before each had its own. */
const before = (name: string, direction: 'CPU_to_GPU' | 'GPU_to_CPU'): Source => ({
  names: [`vllm:kv_offload_${name}`],
  where: { transfer_type: direction },
  optional: true,
});

const OLDER_SOURCES: Readonly<Record<string, Source>> = {
  'vllm:kv_offload_load_bytes_total': before('total_bytes_total', 'CPU_to_GPU'),
  'vllm:kv_offload_store_bytes_total': before('total_bytes_total', 'GPU_to_CPU'),
  'vllm:kv_offload_load_time_total': before('total_time_total', 'CPU_to_GPU'),
  'vllm:kv_offload_store_time_total': before('total_time_total', 'GPU_to_CPU'),
  'vllm:kv_offload_load_size': before('size', 'CPU_to_GPU'),
  'vllm:kv_offload_store_size': before('size', 'GPU_to_CPU'),
};

/** The families that had this name once; a counter may be named without its `_total`. */
export function todaysNames(older: string): readonly string[] {
  const bare = (name: string): string => name.replace(/_total$/, '');
  const before = [
    ...Object.entries(OLDER_NAMES),
    ...Object.entries(OLDER_SOURCES).flatMap(([name, { names }]) => names.map((old) => [name, old] as const)),
  ];
  return before.filter(([, old]) => bare(old) === bare(older)).map(([name]) => name);
}

/** V0 says -1 where the feature is off. */
const OFF: Readonly<Record<string, number>> = {
  'vllm:gpu_prefix_cache_hit_rate': -1,
  'vllm:cpu_prefix_cache_hit_rate': -1,
};

/** The version our pages stand for and are measured by. */
export const VLLM_VERSION = '0.26.0';

/** llm-d-inference-sim writes `finish_reason`. */
const REASON_LABEL = { finished_reason: { from: ['finished_reason', 'finish_reason'] } } as const;

/** Every family of the contract from the page of the same name: vLLM itself, and whoever speaks its names. */
export const vllmNames: Readonly<Record<string, Supply>> = Object.fromEntries(
  vllmFamilies.map((family) => [family.name, supplyOf(family)]),
);

function supplyOf(family: CatalogFamily): Supply {
  const older = OLDER_SOURCES[family.name];
  return older === undefined ? sourceOf(family) : { firstOf: [sourceOf(family), older] };
}

function sourceOf(family: CatalogFamily): Source {
  const { name, labels, ranks } = family;
  const older = OLDER_NAMES[name];
  const off = OFF[name];
  return {
    names: older === undefined ? [name] : [name, older],
    ...(labels.includes('finished_reason') ? { labels: REASON_LABEL } : {}),
    ...(off === undefined ? {} : { off }),
    ...(ranks === 'info' ? { labelSet: 'info' } : {}),
    ...(isServed(family) ? {} : { optional: true }),
  };
}

/** Whether that version has the family without a flag. */
function isServed({ flag, when, since, until }: CatalogFamily): boolean {
  if (flag !== undefined || when !== undefined) return false;
  if (since !== undefined && compareVersions(since, VLLM_VERSION) > 0) return false;
  return until === undefined || compareVersions(until, VLLM_VERSION) >= 0;
}

/** The facts know some versions as "about 0.16": their number counts. */
function compareVersions(one: string, other: string): number {
  const numbers = (text: string): readonly number[] => text.match(/\d+/g)?.map(Number) ?? [];
  const [left, right] = [numbers(one), numbers(other)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = (left[at] ?? 0) - (right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
