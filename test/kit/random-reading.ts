import { familyOf } from '../../src/catalog/index.ts';
import { emptyReading } from '../../src/engines/empty-reading.ts';
import type { EngineProfile, Supply } from '../../src/engines/profile.ts';
import type { Histogram, Reading, Series } from '../../src/engines/reading.ts';
import type { OwnValues } from '../../src/engines/write-own.ts';
import type { Random } from '../../src/kit/random.ts';

/** A state that an engine of this kind could be in, with every family of its page at some value. */
export function randomReading(profile: EngineProfile, ranks: readonly string[], random: Random): Reading {
  const count = (below: number): number => Math.floor(random() * below);
  const empty = emptyReading(profile, {
    modelName: `org/model-${count(9)}`,
    ranks,
    cacheConfig: {
      block_size: String(1 + count(64)),
      num_gpu_blocks: String(1 + count(100_000)),
      kv_cache_size_tokens: String(1 + count(1_000_000)),
      cache_dtype: 'auto',
    },
  });
  const series = new Map<string, readonly Series[]>();
  for (const [name, all] of empty.series) {
    series.set(
      name,
      all.map(({ labels, value }) => ({ labels, value: randomValue(name, value, random) })),
    );
  }
  for (const [name, supply] of Object.entries(profile.families)) {
    if (series.has(name)) series.set(name, agreeing(profile, supply, series) ?? series.get(name) ?? []);
  }
  // Cached prompt tokens are some of the prompt tokens, and the cache is asked for all of them.
  if (series.has('vllm:prompt_tokens_cached_total')) {
    series.set('vllm:prompt_tokens_cached_total', cachedOf(series, random));
  }
  for (const [name, supply] of Object.entries(profile.families)) {
    const other = 'sameAs' in supply ? series.get(supply.sameAs) : undefined;
    if (other !== undefined && series.has(name)) series.set(name, other);
  }
  return { ...empty, series };
}

/** Values for all of the kind's own families that it always shows. */
export function randomOwn(profile: EngineProfile, state: Reading, random: Random): OwnValues {
  const always = profile.own.filter(({ flag, when, labels }) => !flag && !when && labels.length === 0);
  const own = Object.fromEntries(always.map(({ name }) => [name, Math.floor(random() * 10_000)]));
  // A part of the waiting requests cannot be more than they are.
  const waiting = Number(state.series.get('vllm:num_requests_waiting')?.[0]?.value);
  const part = PARTS_OF_WAITING.find((name) => name in own);
  return part === undefined ? own : { ...own, [part]: Math.floor(random() * waiting) };
}

const PARTS_OF_WAITING = ['sglang:num_grammar_queue_reqs', 'lmdeploy:num_api_requests_waiting'];

/** What a figure must be when others of the state have fixed it: the sum of a histogram, a share of a whole. */
function agreeing(
  profile: EngineProfile,
  supply: Supply,
  series: ReadonlyMap<string, readonly Series[]>,
): readonly Series[] | undefined {
  if ('ratio' in supply) {
    const config = series.get('vllm:cache_config_info')?.[0]?.labels ?? {};
    const whole = Number(config['num_gpu_blocks'] ?? config['kv_cache_size_tokens']);
    return [{ labels: { engine: '0' }, value: Math.floor(whole / 3) / whole }];
  }
  if (!('names' in supply) || supply.part !== 'sum') return undefined;
  const [whole] = Object.entries(profile.families).filter(
    ([, other]) => 'names' in other && other.part === undefined && other.names[0] === supply.names[0],
  );
  return series.get(whole?.[0] ?? '')?.map(({ labels, value }) => ({
    labels,
    value: typeof value === 'number' ? value : (value.sum ?? 0),
  }));
}

function cachedOf(series: ReadonlyMap<string, readonly Series[]>, random: Random): readonly Series[] {
  return (series.get('vllm:prompt_tokens_total') ?? []).map(({ labels, value }) => ({
    labels,
    value: Math.floor(Number(value) * random()),
  }));
}

function randomValue(name: string, before: Series['value'], random: Random): Series['value'] {
  if (typeof before !== 'number') return randomHistogram(before, random);
  const family = familyOf(name);
  if (family?.ranks === 'info') return before;
  if (family?.unit === 'ratio') return random();
  if (family?.unit === 'state') return Number(random() < 0.5);
  return Math.floor(random() * 100_000);
}

function randomHistogram({ buckets }: Histogram, random: Random): Histogram {
  let count = 0;
  const filled = buckets.map(({ le }) => {
    count += Math.floor(random() * 20);
    return { le, count };
  });
  return { buckets: filled, sum: count * random() * 10, count };
}
