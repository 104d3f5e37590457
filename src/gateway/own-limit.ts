/** What the system says when this process or machine has no descriptor, port or memory for another connection. */
const OWN_LIMITS: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Whether a connection failed at our end alone: of several addresses that were tried, at every one. */
export function isOwnLimit(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOwnLimit);
  return error instanceof Error && 'code' in error && OWN_LIMITS.has(error.code);
}
