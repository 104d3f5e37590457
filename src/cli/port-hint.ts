const ADDRESS_FAULTS: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']);

/** What an address could not be listened at for, by the code of the system. */
export function addressFault(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const codes = [error, cause].map((one) => (one as { readonly code?: unknown } | undefined)?.code);
  return codes.find((code): code is string => ADDRESS_FAULTS.has(code));
}

/** What starts a listener, and when its address cannot be had the option of this command that names another. */
export async function withPortHint<T>(start: Promise<T>, option: string): Promise<T> {
  try {
    return await start;
  } catch (error) {
    if (addressFault(error) === undefined || !(error instanceof Error)) throw error;
    throw new Error(`${error.message}; choose another with ${option}`, { cause: error.cause });
  }
}
