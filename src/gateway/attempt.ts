import type { Engine } from '../fleet/engine.ts';
import type { Outcome } from '../routing/retry.ts';
import type { Exchange } from '../serving/routes.ts';
import { headersForEngine } from './headers.ts';
import { type Upstream, type UpstreamAnswer, UpstreamFailure } from './upstream.ts';

/** What one try against one engine came to. Nothing is decided here. */
export interface Attempted {
  readonly outcome: Outcome;
  /** With `answered` only: head read, body unread. */
  readonly answer: UpstreamAnswer | undefined;
  /** With a failure only. */
  readonly failure: UpstreamFailure | undefined;
}

export async function attempt(
  upstream: Upstream,
  engine: Engine,
  { request, url, requestId, signal }: Exchange,
  sent: { readonly body: Uint8Array; readonly fresh: boolean },
): Promise<Attempted> {
  const { key } = engine.settings;
  try {
    const answer = await upstream.send({
      url: engine.settings.url + url.pathname + url.search,
      method: request.method ?? 'POST',
      headers: headersForEngine(request, { key, requestId }),
      body: sent.body,
      fresh: sent.fresh,
      signal,
    });
    const outcome = { kind: 'answered', status: answer.status, ownKey: key !== undefined } as const;
    return { outcome, answer, failure: undefined };
  } catch (error) {
    if (signal.aborted) return { outcome: { kind: 'client-left' }, answer: undefined, failure: undefined };
    if (!(error instanceof UpstreamFailure)) throw error;
    return { outcome: { kind: error.stage }, answer: undefined, failure: error };
  }
}
