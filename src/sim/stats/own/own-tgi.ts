import type { OwnMaker, OwnSizes } from './own-maker.ts';

/** What running requests have reserved is its figure of the KV cache. */
export function tgiOwn({ kvTokens }: OwnSizes): OwnMaker {
  return ({ figures, total }) => ({
    tgi_request_count: total.received,
    tgi_batch_current_max_tokens: Math.round((figures[0]?.kvUsage ?? 0) * kvTokens),
    ...(total.failed === 0
      ? {}
      : { tgi_request_failure: [{ labels: { engine: '0', err: 'generation' }, value: total.failed }] }),
  });
}
