import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../kit/clock.ts';
import { deadline } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { logRequest } from './access-log.ts';
import { sendError } from './answer.ts';
import { GatewayError } from './errors.ts';
import { type HostCheck, hostAllowed, originAllowed } from './host-check.ts';
import { checkKey, type Guard, type Keys } from './keys.ts';
import { requestIdOf } from './request-id.ts';
import { compileRoutes, type Found } from './route-table.ts';

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** Decoded path parameters by name; what a closing `*` stood for is `'*'`, not decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Aborts when the client leaves, or its socket is cut at the end of a stop. */
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly receivedAt: number;
  /** Of whoever connected: it may be a proxy. */
  readonly clientAddress: string | undefined;
}

export interface Route {
  /** GET serves HEAD too. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Literal segments, `:name` for one segment, `*` at the end for the rest. The more literal path wins. */
  readonly path: string;
  readonly guard: Guard;
  /** Its handler writes the request's line in the log, with more than is known here. */
  readonly logs?: true;
  handle(exchange: Exchange): Promise<void> | void;
}

export interface RouterOptions {
  readonly keys: Keys;
  readonly hostCheck: HostCheck;
  readonly log: Log;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  /** Told of each error answered here, for a counter. */
  readonly onError?: (error: GatewayError) => void;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** How long an upload that was answered early may go on: a client that only reads after sending gets its answer. */
const LINGER_MS = 10_000;

/**
 * Finds the route, checks host and key, runs it; every error becomes an answer, and every request one line in the log.
 * Never throws.
 */
export function createRouter(routes: readonly Route[], options: RouterOptions): RequestHandler {
  const find = compileRoutes(routes);
  const { keys, hostCheck, log, clock, newRequestId } = options;

  /** Everything that may refuse a request before its route has it. */
  function admitted(exchange: Exchange, found: Found): Extract<Found, { kind: 'route' }> {
    if (!hostAllowed(exchange.request.headers.host, hostCheck)) {
      throw new GatewayError(
        'host_refused',
        'This gateway takes requests without a key, so it answers to localhost, 127.0.0.1 and [::1] only; name this host in `listen.allowedHosts`, or set `keys.client`',
      );
    }
    if (!originAllowed(exchange.request, hostCheck)) {
      throw new GatewayError(
        'origin_refused',
        'This gateway takes requests without a key, so pages of other sites may send it none; name the host of the page in `listen.allowedHosts`, or set `keys.client`',
      );
    }
    // A path without a route is guarded like a request: what exists is not told to strangers.
    checkKey(exchange.request.headers, found.guard, keys);
    if (found.kind === 'none') {
      throw new GatewayError('unknown_endpoint', `There is nothing at ${exchange.url.pathname}`);
    }
    if (found.kind === 'other-methods') {
      throw new GatewayError(
        'method_not_allowed',
        `${exchange.request.method} is not served at ${exchange.url.pathname}, only ${found.allow.join(', ')}`,
        { headers: { allow: found.allow.join(', ') } },
      );
    }
    return found;
  }

  function fail(exchange: Exchange, thrown: unknown): GatewayError {
    const error = GatewayError.from(thrown);
    options.onError?.(error);
    sendError(exchange.response, error, exchange.requestId);
    return error;
  }

  async function answer(exchange: Exchange, found: Found): Promise<void> {
    const { request, response, receivedAt } = exchange;
    let route: Route | undefined;
    let error: GatewayError | undefined;
    try {
      const { route: its, params } = admitted(exchange, found);
      route = its;
      await route.handle({ ...exchange, params });
    } catch (thrown) {
      error = fail(exchange, thrown);
    }
    if (response.writableEnded && !request.complete) lingerBriefly(request, clock);
    if (route?.logs === true && error === undefined) return;
    const tell = (): void =>
      logRequest(log, exchange, { route, error, durationMs: clock.now() - receivedAt });
    if (response.closed) tell();
    else response.once('close', tell);
  }

  return function handleRequest(request, response) {
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) left.abort(new GatewayError('client_left', 'The client left'));
    });
    // A socket error here is a client that left; 'close' follows and tells.
    request.on('error', () => {});
    response.on('error', () => {});
    const exchange: Exchange = {
      request,
      response,
      url: parseUrl(request.url ?? '/'),
      params: {},
      requestId: requestIdOf(request.headers, newRequestId),
      signal: left.signal,
      receivedAt: clock.now(),
      clientAddress: request.socket.remoteAddress,
    };
    void answer(exchange, find(request.method ?? 'GET', exchange.url.pathname));
  };
}

/** The Host header is not part of it: an address made from one is made where that is checked. */
function parseUrl(target: string): URL {
  // Two leading slashes would read as a host name; an absolute form (`GET http://...`) is what proxies get.
  const path = target.startsWith('/') ? target.replace(/^\/+/, '/') : target;
  return URL.canParse(path, 'http://gateway') ? new URL(path, 'http://gateway') : new URL('http://gateway/');
}

function lingerBriefly(request: IncomingMessage, clock: Clock): void {
  const cancel = deadline(clock, LINGER_MS, () => request.destroy());
  request.once('close', cancel).once('end', cancel);
  request.resume();
}
