import { HttpFailure } from './http.ts';

/** How the end of a body is known. */
export type Framing =
  | { readonly by: 'length'; readonly length: number }
  | { readonly by: 'chunks' }
  | { readonly by: 'close' };

/** The head of an HTTP/1 answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly framing: Framing;
  /** Whether the server keeps the connection after this answer, and how long as far as it says. */
  readonly keepMs: number;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * @param text everything before the empty line
 * @throws HttpFailure for what is no HTTP/1 answer, or one whose end nobody could tell
 */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\r\n');
  const [, minor, status] = STATUS_LINE.exec(lines[0] ?? '') ?? [];
  if (status === undefined) throw wrong('an HTTP status line', lines[0] ?? '');
  const headers: Record<string, string> = {};
  for (let at = 1; at < lines.length; at += 1) {
    const [, name, value] = FIELD.exec(lines[at] ?? '') ?? [];
    if (name === undefined || value === undefined) throw wrong('an HTTP header', lines[at] ?? '');
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  const code = Number(status);
  const framing = framingOf(code, headers);
  return { status: code, headers, framing, keepMs: keepMs(headers, minor === '1', framing) };
}

function framingOf(status: number, headers: Readonly<Record<string, string>>): Framing {
  if (status < 200 || status === 204 || status === 304) return { by: 'length', length: 0 };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw wrong('a transfer encoding "chunked"', coding);
    return { by: 'chunks' };
  }
  const length = headers['content-length'];
  if (length === undefined) return { by: 'close' };
  const values = new Set(length.split(/\s*,\s*/));
  const [first = ''] = values;
  if (values.size > 1 || !/^\d{1,15}$/.test(first)) throw wrong('one content length', length);
  return { by: 'length', length: Number(first) };
}

/** 0: not at all. Where the server says how long, a second less: what it closes as we ask costs an attempt. */
function keepMs(headers: Readonly<Record<string, string>>, isOne: boolean, { by }: Framing): number {
  const said = (headers['connection'] ?? '').toLowerCase().split(/\s*,\s*/);
  const both = headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined;
  if (by === 'close' || both || said.includes('close') || !(isOne || said.includes('keep-alive'))) return 0;
  const hint = /(?:^|[\s,])timeout=(\d+)/i.exec(headers['keep-alive'] ?? '')?.[1];
  return hint === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(hint) * 1_000 - 1_000);
}

function wrong(expected: string, found: string): HttpFailure {
  const excerpt = found.length > 60 ? `${found.slice(0, 60)}...` : found;
  return new HttpFailure('other', `expected ${expected}, found ${JSON.stringify(excerpt)}`);
}
