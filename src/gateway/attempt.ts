import type { Engine } from '../fleet/engine.ts';
import type { Lease } from '../fleet/lease.ts';
import { outcomeOf } from '../routing/answer-outcome.ts';
import { type Outcome, RESENT_WITHIN_MS } from '../routing/retry.ts';
import type { Exchange } from '../serving/routes.ts';
import { EngineLost } from './engine-lost.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { headersForEngine } from './headers.ts';
import { holdAnswer } from './hold.ts';
import { type UpstreamAnswer, UpstreamFailure } from './upstream.ts';

export interface Sending {
  /** As engines know it. */
  readonly model: string;
  readonly body: Uint8Array;
  /** Of `x-penstock-via`. */
  readonly via: string;
  /** On a connection that nobody used before. */
  readonly fresh: boolean;
}

/** What one try against one engine came to. Nothing is decided here. */
export interface Attempted {
  readonly outcome: Outcome;
  readonly lease: Lease;
  /** When the engine answered: its beginning is known and still in `body`. */
  readonly answer: UpstreamAnswer | undefined;
  /** Whether nothing of that answer is still to come from the engine. */
  readonly isWhole: boolean;
  /** When it did not. */
  readonly failure: Error | undefined;
}

/** Sends the request and waits until it is known what the answer is. The lease ends with the answer's body. */
export async function attempt(
  parts: Pick<GatewayParts, 'upstream' | 'clock' | 'settings'>,
  engine: Engine,
  exchange: Exchange,
  { model, body, via, fresh }: Sending,
): Promise<Attempted> {
  const { request, url, requestId } = exchange;
  const { clock, upstream, settings } = parts;
  const { key } = engine.settings;
  const sentAt = clock.now();
  const leave = new AbortController();
  const clientLeft = (): void => leave.abort(exchange.signal.reason);
  const lease = engine.begin((why) => leave.abort(new EngineLost(why)));
  const over = (): void => {
    exchange.signal.removeEventListener('abort', clientLeft);
    lease.end();
  };
  exchange.signal.addEventListener('abort', clientLeft, { once: true });
  if (exchange.signal.aborted) clientLeft();

  try {
    const answer = await upstream.send({
      url: engine.settings.url + url.pathname + url.search,
      method: request.method ?? 'POST',
      headers: headersForEngine(request, { key, requestId, via }),
      body,
      fresh,
      signal: leave.signal,
    });
    // Between two listeners there must always be one: a break would else be an uncaught error.
    answer.body.on('error', () => {}).once('close', over);
    const held = await holdAnswer(answer, { clock, headAfterMs: settings.headAfterMs });
    const misleading = engine.identity?.profile.misleading ?? [];
    const outcome = outcomeOf({ ...held, ownKey: key !== undefined, model, misleading });
    return { outcome, lease, answer: held.answer, isWhole: held.isWhole, failure: undefined };
  } catch (error) {
    over();
    const failure = error as Error;
    return { lease, answer: undefined, isWhole: false, failure, outcome: await failed(error) };
  }

  async function failed(error: unknown): Promise<Outcome> {
    if (exchange.signal.aborted) return { kind: 'client-left' };
    if (leave.signal.reason instanceof EngineLost) return { kind: 'declared-dead' };
    if (!(error instanceof UpstreamFailure) || error.stage === 'bad-request') throw error;
    const kind = error.stage;
    if (kind === 'nothing-sent' || kind === 'own-limit') return { kind };
    const sentForMs = clock.now() - sentAt;
    // A late death may be that of one request or of the engine: the table holds them apart.
    const gone = sentForMs > RESENT_WITHIN_MS && !(await upstream.listens(engine.settings.url));
    return gone ? { kind: 'declared-dead' } : { kind, sentForMs };
  }
}
