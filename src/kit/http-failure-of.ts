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
  // What comes back is no TLS.
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
  const codes = codesOf(error);
  const known = codes.find((code) => CODES[code] !== undefined);
  const code = (known === undefined ? undefined : CODES[known]) ?? (codes.some(isTls) ? 'tls' : 'other');
  return new HttpFailure(code, reason(error), { cause: error });
}

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
