import type { IncomingMessage } from 'node:http';

export interface HostCheck {
  /** The address the listener was told to listen on. */
  readonly listenerHost: string;
  /** Whether requests are taken without a key. */
  readonly keyless: boolean;
  /** Further host names the operator allows, without port. */
  readonly allowed: readonly string[];
}

/**
 * Guards against DNS rebinding: a page on the web may give its own name the address 127.0.0.1 and so reach a
 * listener that trusts everybody on this machine. Its requests carry that name as Host.
 * An absent Host is let through: browsers always send one, old health checks (HTTP/1.0) do not.
 */
export function hostAllowed(hostHeader: string | undefined, check: HostCheck): boolean {
  if (!check.keyless || !isLoopback(check.listenerHost) || hostHeader === undefined) return true;
  const name = withoutPort(hostHeader.trim().toLowerCase());
  if (name === undefined) return false;
  return isOurs(name, check);
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Guards against pages on the web that send something here: a browser carries out the request and keeps only the answer
 * from the page, so that opening a page would be enough to spend an engine's time. What a page may read is its own
 * site's alone in any case. Without Origin and Sec-Fetch-Site it is no page of a browser that asks.
 */
export function originAllowed(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  check: HostCheck,
): boolean {
  if (!check.keyless || !isLoopback(check.listenerHost) || READING.has(method ?? '')) return true;
  const { origin } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] !== 'cross-site';
  // A page without an origin of its own (a file, a sandboxed frame) says "null".
  const host = URL.canParse(origin) ? new URL(origin).hostname : origin;
  return isOurs(host.toLowerCase(), check);
}

function isOurs(name: string, { allowed }: HostCheck): boolean {
  return isLoopback(name) || allowed.some((host) => host.toLowerCase() === name);
}

/** A name or literal address that means this machine and nothing else. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

function withoutPort(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host)?.[1];
}
