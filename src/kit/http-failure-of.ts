import { HttpFailure, type HttpFailureCode } from './http.ts';
import { reason } from './log.ts';

const CODES: Readonly<Record<string, HttpFailureCode>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'cut-off',
  EPIPE: 'cut-off',
  EPROTO: 'tls',
  UND_ERR_SOCKET: 'cut-off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut-off',
  HPE_INVALID_EOF_STATE: 'cut-off',
  // zlib: the stream ends in its middle.
  Z_BUF_ERROR: 'cut-off',
};

/** What undici, zlib and Node throw, as one of our failures. */
export function httpFailureOf(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = codeOf(error);
  const inWords = WORDS[code]?.(error);
  // A cause that is said in better words is not said again.
  return inWords === undefined
    ? new HttpFailure(code, reason(error), { cause: error })
    : new HttpFailure(code, inWords);
}

function codeOf(error: unknown): HttpFailureCode {
  const codes = codesOf(error);
  const known = codes.find((code) => CODES[code] !== undefined);
  const code = known === undefined ? undefined : CODES[known];
  if (code === 'tls' && NO_TLS.test(reason(error))) return 'not-tls';
  if (code !== undefined) return code;
  if (codes.some(isTls)) return 'tls';
  // Other parse errors are faults in an answer that began as HTTP.
  return codes.includes('HPE_INVALID_CONSTANT') ? 'not-http' : 'other';
}

/** What OpenSSL says of bytes that are no TLS. */
const NO_TLS = /wrong version number|packet length too long|http request|record layer failure/;

/** Where Node speaks of system calls and OpenSSL of its source lines. */
const WORDS: Partial<Readonly<Record<HttpFailureCode, (error: unknown) => string | undefined>>> = {
  dns(error) {
    const [, code, host] = /getaddrinfo (\S+) (\S+)/.exec(reason(error)) ?? [];
    if (host === undefined) return undefined;
    return code === 'EAI_AGAIN'
      ? `the name ${host} cannot be looked up: no name server answers`
      : `the name ${host} is not known here`;
  },
  tls(error) {
    const said = /:SSL routines:[^:]*:([^:]+)/.exec(reason(error))?.[1];
    return said === undefined ? undefined : `TLS failed: ${said}`;
  },
  'not-tls': () => 'it does not speak TLS',
  'not-http': () => 'what it answers is not HTTP',
};

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = (error as { code?: unknown }).code;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [...(typeof own === 'string' ? [own] : []), ...inner.flatMap(codesOf), ...codesOf(error.cause)];
}

function isTls(code: string): boolean {
  return (
    code.startsWith('ERR_TLS_') ||
    code.startsWith('ERR_SSL_') ||
    code.startsWith('CERT_') ||
    code.includes('SELF_SIGNED_CERT') ||
    code.startsWith('UNABLE_TO_')
  );
}
