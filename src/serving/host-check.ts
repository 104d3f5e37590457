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
  return isLoopback(name) || check.allowed.some((host) => host.toLowerCase() === name);
}

/** A name or literal address that means this machine and nothing else. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

function withoutPort(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host)?.[1];
}
