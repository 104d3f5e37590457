import type { IncomingMessage } from 'node:http';

import type { RawHeaders } from './upstream.ts';
import { VIA } from './via.ts';

/** RFC 9110 7.6.1: of one connection, not of the message. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What a client sends for the gateway only: its secrets, and what the next connection makes anew. */
const NOT_FOR_ENGINES = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'x-api-key',
  'api-key',
  'cookie',
  'host',
  'content-length',
  'expect',
  'x-request-id',
]);

/**
 * What an engine sends for itself. Its cookies would be set for the gateway's name, its CORS permission (`*` at
 * vLLM) would let any web page read what a keyless gateway on this machine answers, and its other addresses
 * (`alt-svc`) would lead clients past the gateway.
 */
const NOT_FOR_CLIENTS = new Set([...HOP_BY_HOP, 'set-cookie', 'x-request-id', 'alt-svc']);

export interface ForEngine {
  readonly key: string | undefined;
  readonly requestId: string;
  /** The gateways that the request came through, this one included. */
  readonly via: string;
}

export function headersForEngine(request: IncomingMessage, { key, requestId, via }: ForEngine): RawHeaders {
  const raw = pairsOf(request.rawHeaders);
  const named = namedInConnection(raw);
  return [
    ...raw.filter(([name]) => {
      const lower = name.toLowerCase();
      return !NOT_FOR_ENGINES.has(lower) && !named.has(lower) && !lower.startsWith('x-penstock-');
    }),
    ['x-request-id', requestId],
    [VIA, via],
    ...(key === undefined ? [] : [['authorization', `Bearer ${key}`] as const]),
  ];
}

export interface AnswerMarks {
  readonly engine: string;
  readonly engineUrl: string;
  readonly requestId: string;
  readonly isEventStream: boolean;
}

export function headersForClient(headers: RawHeaders, marks: AnswerMarks): RawHeaders {
  const named = namedInConnection(headers);
  const kept = headers
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return (
        !NOT_FOR_CLIENTS.has(lower) &&
        !named.has(lower) &&
        !lower.startsWith('access-control-') &&
        !lower.startsWith('x-penstock-')
      );
    })
    .map(
      ([name, value]) => [name, name.toLowerCase() === 'location' ? ownPath(value, marks) : value] as const,
    );
  const buffersOff = marks.isEventStream && headerValue(kept, 'x-accel-buffering') === undefined;
  return [
    ...kept,
    // nginx and others in front of us collect a stream into one lump unless told not to.
    ...(buffersOff ? [['x-accel-buffering', 'no'] as const] : []),
    ['x-penstock-engine', marks.engine],
    ['x-request-id', marks.requestId],
  ];
}

function headerValue(headers: RawHeaders, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Whether a body is of this type and can be read: a compressed one is of a type that nobody on the way knows. */
export function answerIs(headers: RawHeaders, type: string): boolean {
  const encoding = headerValue(headers, 'content-encoding')?.toLowerCase() ?? 'identity';
  const given = headerValue(headers, 'content-type')?.toLowerCase() ?? '';
  return encoding === 'identity' && given.split(';')[0]?.trim() === type;
}

/** A redirect to the engine's own address would lead clients past the gateway, with their keys. */
function ownPath(location: string, { engineUrl }: AnswerMarks): string {
  // Relative to the engine: `//host/...` too names an address.
  if (!/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(location) || !URL.canParse(location, engineUrl))
    return location;
  const target = new URL(location, engineUrl);
  if (target.host !== new URL(engineUrl).host || !/^https?:$/.test(target.protocol)) return location;
  return target.pathname.replace(/^\/+/, '/') + target.search + target.hash;
}

function namedInConnection(headers: RawHeaders): ReadonlySet<string> {
  return new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  );
}

function pairsOf(rawHeaders: readonly string[]): RawHeaders {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}
