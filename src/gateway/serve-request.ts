import type { Engine } from '../fleet/engine.ts';
import type { Usage } from '../openai/usage.ts';
import { levelOf, requestFields } from '../serving/access-log.ts';
import { sendError } from '../serving/answer.ts';
import { ERRORS, GatewayError } from '../serving/errors.ts';
import type { Exchange } from '../serving/routes.ts';
import { type Admitted, admit } from './admit.ts';
import { conclude } from './conclude.ts';
import { endpointLabel } from './endpoint.ts';
import { type Forwarded, forward } from './forward.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { MeasuredAt } from './meter.ts';
import { countedModel, idAt } from './model-name.ts';
import { type Served, serveAnswer } from './serve-answer.ts';

/** What is known of a request when it is over; fields stay absent where it did not come so far. */
interface Story {
  admitted: Admitted | undefined;
  engine: Engine | undefined;
  attempts: number;
  forwarded: Forwarded | undefined;
  served: Served | undefined;
  error: GatewayError | undefined;
}

/** One request from its head to its line in the log: admit, route and forward, answer. Never rejects. */
export async function serveRequest(parts: GatewayParts, exchange: Exchange): Promise<void> {
  const story: Story = {
    admitted: undefined,
    engine: undefined,
    attempts: 0,
    forwarded: undefined,
    served: undefined,
    error: undefined,
  };
  parts.meter.requestStarted();
  try {
    const { instanceId, settings } = parts;
    const limits = { bodyBytes: settings.bodyBytes, readiness: parts.readiness(), instanceId };
    story.admitted = await admit(exchange, limits);
    story.forwarded = await forward(parts, exchange, story.admitted, (engine, attempts) => {
      story.engine = engine;
      story.attempts = attempts;
    });
    const { forwarded } = story;
    try {
      story.served = await serveAnswer(parts, exchange, forwarded, measuredAt(forwarded));
      story.error = conclude(forwarded, story.served);
    } finally {
      forwarded.answer.body.destroy();
      forwarded.lease.end();
    }
  } catch (thrown) {
    story.error = GatewayError.from(thrown);
    sendError(exchange.response, story.error, exchange.requestId);
  } finally {
    tell(parts, exchange, story);
  }
}

function measuredAt({ engine, servedModel }: Forwarded): MeasuredAt {
  return {
    modelName: idAt(engine, servedModel) ?? servedModel,
    engineName: engine.name,
    kind: engine.identity?.profile.kind ?? 'unknown',
    runtimeName: engine.runtime,
  };
}

function tell(parts: GatewayParts, exchange: Exchange, story: Story): void {
  const { meter, log, clock, fleet, settings } = parts;
  const { forwarded, served, error, admitted } = story;
  const durationMs = clock.now() - exchange.receivedAt;
  const at = forwarded === undefined ? undefined : measuredAt(forwarded);
  const asked = admitted?.fields.model;
  const counted =
    at !== undefined || asked === undefined
      ? undefined
      : countedModel(fleet.engines(), settings.aliases, asked);
  const status = error?.status ?? forwarded?.answer.status ?? ERRORS.internal.status;
  if (error?.code === 'client_left') meter.clientLeft();
  else if (error !== undefined) meter.error(error.code);
  meter.requestFinished({
    modelName: at?.modelName ?? counted ?? 'other',
    endpoint: endpointLabel(exchange.url.pathname),
    status,
    seconds: durationMs / 1_000,
    engine: at,
    usage: served?.usage,
  });
  log[error === undefined ? 'info' : levelOf(error)]('request', {
    ...requestFields(exchange, { status, error, durationMs }),
    model: asked?.slice(0, 200),
    stream: admitted?.fields.stream,
    engine: story.engine?.name,
    attempts: story.attempts,
    ttftMs: rounded(served?.firstTokenMs),
    bytesIn: admitted?.body.byteLength,
    bytesOut: served?.bytes,
    ...usageFields(served?.usage),
  });
}

function usageFields(usage: Usage | undefined): Readonly<Record<string, number | undefined>> {
  return {
    promptTokens: usage?.promptTokens,
    completionTokens: usage?.completionTokens,
    cachedTokens: usage?.cachedTokens,
  };
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}
