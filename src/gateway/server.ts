import { sendJson } from '../serving/answer.ts';
import type { Route } from '../serving/routes.ts';
import { answerChoices } from './choices.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { answerModel, answerModels } from './models.ts';
import { serveRequest } from './serve-request.ts';

/** The path of a request: `server -> admit -> route -> forward -> attempt -> pipe`; any error becomes an answer. */
export function gatewayRoutes(parts: GatewayParts): readonly Route[] {
  const { fleet, settings, readiness } = parts;

  const forwarding = (path: string): Route => ({
    method: 'POST',
    path,
    guard: 'client',
    logs: true,
    handle: (exchange) => serveRequest(parts, exchange),
  });

  return [
    // Named, though `/v1/*` would take them: another method there is a 405 and not an unknown path.
    forwarding('/v1/chat/completions'),
    forwarding('/v1/completions'),
    forwarding('/v1/embeddings'),
    forwarding('/v1/*'),
    {
      method: 'GET',
      path: '/v1/models',
      guard: 'client',
      handle: (exchange) => answerModels(exchange, fleet, settings.aliases),
    },
    {
      method: 'GET',
      path: '/v1/models/*',
      guard: 'client',
      handle: (exchange) => answerModel(exchange, fleet, settings.aliases),
    },
    {
      method: 'GET',
      path: '/health',
      guard: 'open',
      handle: ({ response }) => sendJson(response, 200, { status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/ready',
      guard: 'open',
      handle({ response }) {
        const state = readiness();
        sendJson(response, state === 'ready' ? 200 : 503, { status: state });
      },
    },
    {
      method: 'GET',
      path: '/api/choices',
      guard: 'scrape',
      handle: (exchange) => answerChoices(exchange, parts.choices),
    },
  ];
}
