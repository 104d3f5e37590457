import type { Labels } from '../exposition/exposition.ts';
import type { Series } from './reading.ts';

/**
 * Tokens the KV cache holds over all ranks, out of `vllm:cache_config_info`: `kv_cache_size_tokens` where a version
 * has it, else blocks times block size. The block count is each rank's own; values are text and may be "None".
 */
export function kvCapacityTokens(series: readonly Series[]): number | undefined {
  const known = series
    .map(({ labels }) => capacityOf(labels))
    .filter((tokens): tokens is number => tokens !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, tokens) => total + tokens, 0);
}

function capacityOf(labels: Labels): number | undefined {
  const tokens = numberOf(labels['kv_cache_size_tokens']);
  if (tokens !== undefined) return tokens;
  const blocks = numberOf(labels['num_gpu_blocks']);
  const blockSize = numberOf(labels['block_size']);
  return blocks === undefined || blockSize === undefined ? undefined : blocks * blockSize;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?(e\+?\d+)?$/i.test(text)) return undefined;
  return Number(text);
}
