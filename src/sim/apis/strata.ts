import { hostAllowed } from '../../serving/host-check.ts';
import type { ApiContext, Handler, KindApi } from './api.ts';
import { bearerOf, headerOf } from './bearer.ts';
import type { Exchange, HttpManner } from './exchange.ts';
import { generate } from './generate.ts';
import { propsOf, slotsOf } from './llama-cpp-state.ts';
import type { LengthRules } from './plan.ts';
import type { Problem } from './problem.ts';
import { type RequestRules, readGeneration } from './read-request.ts';
import { strataChat } from './strata-answer.ts';
import { strataRefusal } from './strata-errors.ts';
import { llamaCppForm, recordOf, strataVersion } from './strata-pages.ts';

const MANNER: HttpManner = {
  version: '1.0',
  headers: { Server: 'BaseHTTP/0.6 Python/3.12.3', Connection: 'close' },
  jsonType: 'application/json',
};

const RULES: RequestRules = {
  modelRequired: false,
  leastMaxTokens: 1,
  roleRequired: false,
  emptyMessages: true,
};

const LENGTHS: LengthRules = { refuses: 'prompt and answer', spareTokens: 8, completionTokens: undefined };

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Strata 0.1.30: one request at a time, HTTP/1.0, three forms of its metrics. */
export function strataApi(context: ApiContext): KindApi {
  const json =
    (body: () => unknown): Handler =>
    (exchange) =>
      exchange.json(200, body());
  const health = json(() => healthOf(context));
  const models = json(() => modelsOf(context));
  return {
    manner: MANNER,
    guard: (exchange, known) => guard(context, exchange, known),
    refuse: strataRefusal,
    routes: {
      '/health': { GET: health },
      '/api/health': { GET: health },
      '/models': { GET: models },
      '/v1/models': { GET: models },
      '/v1/status': { GET: json(() => statusOf(context)) },
      '/props': {
        GET: json(() => ({ ...propsOf(context), build_info: `Strata ${strataVersion}` })),
      },
      '/slots': { GET: json(() => slotsOf(context)) },
      '/metrics': {
        GET: (exchange) =>
          wantsText(exchange)
            ? exchange.text(200, context.page(), TEXT)
            : exchange.json(200, recordOf(context)),
      },
      '/metrics/prometheus': { GET: (exchange) => exchange.text(200, llamaCppForm(context), TEXT) },
      '/v1/chat/completions': {
        POST: async (exchange) => {
          const request = readGeneration(await exchange.body(), 'chat', RULES);
          const { model } = context;
          await generate(context, exchange, request, LENGTHS, ({ id, created }) =>
            strataChat({ id, created, model }),
          );
        },
      },
    },
  };
}

/** Text only for who names it: `*` is JSON. */
function wantsText(exchange: Exchange): boolean {
  const asked = exchange.query.get('format');
  if (asked !== null) return asked === 'prometheus';
  return /text\/plain|application\/openmetrics-text/i.test(headerOf(exchange, 'accept') ?? '');
}

function guard(context: ApiContext, exchange: Exchange, known: boolean): Problem | undefined {
  const { key, host } = context;
  if (key === undefined) {
    const fine = hostAllowed(exchange.headers.host, { listenerHost: host, keyless: true, allowed: [] });
    return fine ? undefined : { type: 'foreign-host' };
  }
  const open = exchange.path === '/health' || (!known && exchange.method === 'GET');
  if (open || exchange.method === 'OPTIONS') return undefined;
  const sent = bearerOf(exchange) ?? headerOf(exchange, 'x-api-key');
  return sent === key ? undefined : { type: 'unauthorized' };
}

function healthOf({ model, contextTokens, key }: ApiContext): object {
  return {
    status: 'ok',
    max_context: contextTokens,
    model,
    images: false,
    api_key: key !== undefined,
    loaded: true,
    service: 'strata',
  };
}

function modelsOf({ model, contextTokens }: ApiContext): object {
  const card = {
    id: model,
    object: 'model',
    status: { value: 'loaded' },
    meta: { n_ctx: contextTokens },
    architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  };
  return { object: 'list', data: [card] };
}

function statusOf(context: ApiContext): object {
  const { model, contextTokens, maxSeqs, clock, startedWallMs, driver, stats } = context;
  return {
    service: 'strata',
    model,
    engine: strataVersion,
    started: startedWallMs / 1000,
    uptime_s: (clock.wallTime() - startedWallMs) / 1000,
    cache_max_tokens: contextTokens,
    context: { native: contextTokens, max_positions: contextTokens },
    concurrency: { serving: maxSeqs, requested: maxSeqs },
    dialects: ['openai', 'anthropic'],
    vision: { enabled: false, available: false, error: null },
    activity: {
      requests: stats.totals().finished,
      in_flight: driver.inFlight().reduce((sum, count) => sum + count, 0),
    },
  };
}
