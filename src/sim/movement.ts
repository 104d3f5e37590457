import type { EngineProfile } from '../engines/profile.ts';

/** What a family of a simulated page does. */
export type Movement =
  | { readonly does: 'moves' }
  /** With this flag of `penstock sim`, and not without. */
  | { readonly does: 'moves with'; readonly flag: string }
  /** It is told at the start and stands. */
  | { readonly does: 'stands' }
  /** Nothing that would move it is simulated. */
  | { readonly does: 'stays at 0'; readonly because: string };

/** By the family's name on the page, whatever the kind: the first that fits. */
const STAY: readonly (readonly [RegExp, string])[] = [
  [/external_prefix_cache/, 'no KV connector is simulated'],
  [/mm_cache/, 'no images or sounds are simulated'],
  [/estimated_(?:flops|read_bytes|write_bytes)/, 'needs --enable-mfu-metrics, which is not simulated'],
  [/diffusion_/, 'no diffusion decoding is simulated'],
  [/websocket_/, 'no realtime connections are simulated'],
  [/grammar/, 'no structured output is simulated'],
  [/swa_token_usage/, 'the model has no sliding window'],
  [/num_api_requests_waiting/, 'the API server has no queue of its own here'],
  [/compute_(?:input|output)_duration/, 'copying in and out takes no simulated time'],
];

const STAND: readonly RegExp[] = [
  /(?:^|[:_])engine_sleep_state$/,
  /(?:^|_)config_info$/,
  /:(?:page_size|num_pages|max_total_num_tokens|fwd_occupancy|engine_max_context)$/,
  /_kv_cache_(?:tokens_per_block|max_blocks|blocks_total|block_size)$/,
  /_(?:batch_max_total_tokens|model_total_kv_blocks|sequences_capacity)$/,
  /_max_num_active_requests$/,
  /:gpu_mem_used_bytes$/,
];

const FLAGGED: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[:_])spec_|speculative/, '--spec'],
  [/(?:^|[:_])kv_block_/, '--kv-cache-metrics'],
  [/(?:^|[:_])lora_requests_info$/, '--lora'],
  [/preemption|retracted/, '--kv-tokens'],
  [/request_(?:error|failure)|requests_failed/, '--error-rate'],
];

/** What the family of that name does on a simulated page of this kind. */
export function movementOf(profile: EngineProfile, family: string): Movement {
  const placeholder = Object.values(profile.families).find(
    (supply) => 'missing' in supply && supply.shows?.names.includes(family) === true,
  );
  if (placeholder !== undefined && 'missing' in placeholder) {
    return { does: 'stays at 0', because: placeholder.missing };
  }
  const stay = STAY.find(([pattern]) => pattern.test(family));
  if (stay !== undefined) return { does: 'stays at 0', because: stay[1] };
  if (STAND.some((pattern) => pattern.test(family))) return { does: 'stands' };
  const flagged = FLAGGED.find(([pattern]) => pattern.test(family));
  return flagged === undefined ? { does: 'moves' } : { does: 'moves with', flag: flagged[1] };
}
