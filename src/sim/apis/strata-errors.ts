import type { Exchange } from './exchange.ts';
import { faultText, type Problem, type Refusal, type Refusals, refusalOf } from './problem.ts';

export function strataRefusal(problem: Problem, exchange: Exchange): Refusal {
  return refusalOf(REFUSALS, problem, exchange) ?? error(503, 'server_error', faultText(problem));
}

const REFUSALS: Refusals = {
  'malformed-json': ({ position }) =>
    bad(`Expecting value: line 1 column ${position + 1} (char ${position})`),
  missing: ({ field }) => bad(`the request is malformed (KeyError: '${field}')`),
  'wrong-type': ({ field, wanted }) =>
    bad(`the request is malformed (TypeError: ${field} must be of type ${wanted})`),
  'out-of-range': ({ field, least }) =>
    bad(`the request is malformed (ValueError: ${field} must be at least ${least})`),
  'too-long': ({ promptTokens, maxTokens = 1, contextTokens }) =>
    bad(
      `prompt (${promptTokens} tokens) + max tokens (${maxTokens}) exceeds the context (${contextTokens}); requests are never truncated`,
    ),
  unauthorized: () => error(401, 'authentication_error', 'missing or wrong API key'),
  'foreign-host': () =>
    error(403, 'forbidden', 'this server only answers to local host names; set a key to open it'),
  'unknown-path': (_, { method }) => noSuchPath(method),
  'wrong-method': (_, { method }) => (method === 'OPTIONS' ? { status: 204, body: '' } : noSuchPath(method)),
};

/** Its server knows GET and POST: a path that has only the other one is simply not there. */
function noSuchPath(method: string): Refusal {
  if (method !== 'GET' && method !== 'POST') return pythonPage(method);
  return { status: 404, body: { error: { message: 'not found' } } };
}

function error(status: number, type: string, message: string): Refusal {
  return { status, body: { error: { type, message } } };
}

function bad(message: string): Refusal {
  return error(400, 'invalid_request_error', message);
}

/** What Python's http.server says of a method it has no handler for. */
function pythonPage(method: string): Refusal {
  return {
    status: 501,
    contentType: 'text/html;charset=utf-8',
    body: `<!DOCTYPE HTML>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <title>Error response</title>
    </head>
    <body>
        <h1>Error response</h1>
        <p>Error code: 501</p>
        <p>Message: Unsupported method ('${method}').</p>
        <p>Error code explanation: 501 - Server does not support this operation.</p>
    </body>
</html>
`,
  };
}
