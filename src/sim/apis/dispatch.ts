import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Log, reason } from '../../kit/log.ts';
import type { RequestHandler } from '../../serving/routes.ts';
import { type Loading, READY } from '../loading.ts';
import type { Handler, KindApi, Routes } from './api.ts';
import { type Exchange, openExchange } from './exchange.ts';
import { type Problem, RequestProblem } from './problem.ts';

/** Finds the handler, and answers every problem as the kind does. */
export function dispatch(api: KindApi, log: Log, loading: Loading = READY): RequestHandler {
  return (request, response) => {
    void answer({ api, log, loading }, request, response);
  };
}

interface Engine {
  readonly api: KindApi;
  readonly log: Log;
  readonly loading: Loading;
}

async function answer(
  { api, log, loading }: Engine,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = openExchange(request, response, api.manner);
  const methods = methodsOf(api.routes, exchange.path);
  try {
    if (!loading.ready) await untilReady(loading, exchange);
    const problem = api.guard(exchange, methods !== undefined);
    if (problem !== undefined) refuse(api, exchange, problem);
    else await handlerOf(methods, exchange)(exchange);
  } catch (error) {
    if (exchange.signal.aborted) return;
    if (response.headersSent) exchange.answer.cut();
    else if (error instanceof RequestProblem) refuse(api, exchange, error.problem);
    else {
      log.error('a simulated engine could not answer', { path: exchange.path, reason: reason(error) });
      refuse(api, exchange, { type: 'engine-failed', message: reason(error) });
    }
  }
}

/** What the kind does with a request while its model loads. @throws RequestProblem where that is a 503 */
async function untilReady({ manner, healthPath, done }: Loading, exchange: Exchange): Promise<void> {
  const refused =
    manner.listening === 'everything' || (manner.listening === 'health' && exchange.path === healthPath);
  if (refused) throw new RequestProblem({ type: 'loading' });
  if (manner.listening === 'requests wait' && exchange.method === 'POST') await done;
}

function handlerOf(methods: Readonly<Record<string, Handler>> | undefined, exchange: Exchange): Handler {
  if (methods === undefined) throw new RequestProblem({ type: 'unknown-path' });
  const handler = methods[exchange.method];
  if (handler !== undefined) return handler;
  throw new RequestProblem({ type: 'wrong-method', allow: Object.keys(methods) });
}

function methodsOf(routes: Routes, path: string): Readonly<Record<string, Handler>> | undefined {
  if (Object.hasOwn(routes, path)) return routes[path];
  const prefix = Object.keys(routes).find(
    (known) => known.endsWith('*') && path.startsWith(known.slice(0, -1)),
  );
  return prefix === undefined ? undefined : routes[prefix];
}

function refuse(api: KindApi, exchange: Exchange, problem: Problem): void {
  const { status, body, contentType, headers } = api.refuse(problem, exchange);
  if (typeof body !== 'string') exchange.json(status, body, headers);
  else exchange.text(status, body, contentType, headers);
}
