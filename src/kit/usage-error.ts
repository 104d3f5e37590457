/**
 * The person who started Penstock asked for something it cannot do: a wrong option, file or value.
 * The message says what was wrong, where, and what to do; it is printed without a stack, and the exit code is 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
