import { familyOf } from '../../src/catalog/index.ts';
import { emptyReading } from '../../src/engines/empty-reading.ts';
import type { EngineProfile } from '../../src/engines/profile.ts';
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
      num_gpu_blocks: String(count(100_000)),
      kv_cache_size_tokens: String(count(1_000_000)),
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
  // Cached prompt tokens are some of the prompt tokens, and the cache is asked for all of them.
  series.set('vllm:prompt_tokens_cached_total', cachedOf(series, random));
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
  const grammar = 'sglang:num_grammar_queue_reqs';
  return grammar in own ? { ...own, [grammar]: Math.floor(random() * waiting) } : own;
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
