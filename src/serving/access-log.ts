import { type Log, type LogLevel, reason } from '../kit/log.ts';
import { ERRORS, type GatewayError } from './errors.ts';
import type { Exchange, Route } from './routes.ts';

/** A refusal is part of an access log; what an engine or the gateway did wrong stands out in it. */
export function levelOf(error: GatewayError): LogLevel {
  return ({ client: 'info', engine: 'warn', gateway: 'error' } as const)[error.spec.fault];
}

/** What the log says of every request, in this order. */
export function requestFields(
  { request, requestId, url, clientAddress }: Exchange,
  { status, error, durationMs }: { status: number; error: GatewayError | undefined; durationMs: number },
) {
  return {
    requestId,
    method: request.method,
    path: url.pathname,
    client: clientAddress,
    status,
    code: error?.code,
    reason: error === undefined ? undefined : reason(error),
    durationMs: Math.round(durationMs * 10) / 10,
  };
}

/** The line of a request that was answered here, when its answer is over. */
export function logRequest(
  log: Log,
  exchange: Exchange,
  {
    route,
    error,
    durationMs,
  }: { route: Route | undefined; error: GatewayError | undefined; durationMs: number },
): void {
  const { response } = exchange;
  const status =
    error?.status ?? (response.writableFinished ? response.statusCode : ERRORS.client_left.status);
  // Machines look at pages and at health every few seconds: that they did is of interest to nobody.
  const isLook = route?.guard === 'scrape' || route?.guard === 'open';
  const level = error !== undefined ? levelOf(error) : isLook ? 'debug' : 'info';
  log[level]('request', requestFields(exchange, { status, error, durationMs }));
}
