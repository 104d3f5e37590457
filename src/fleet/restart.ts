import type { Signals } from '../engines/signals.ts';

/** A counter that fell: the process behind the address began anew (or its metrics did, which is the same to us). */
export function restarted(before: Signals | undefined, now: Signals): boolean {
  if (before === undefined) return false;
  return (
    fell(before.promptTokens, now.promptTokens) ||
    fell(before.generationTokens, now.generationTokens) ||
    fell(before.successes, now.successes) ||
    fell(before.progress, now.progress)
  );
}

function fell(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now < before;
}
