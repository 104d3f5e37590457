import type { Signals } from '../engines/signals.ts';

/** Scrapes without any movement after which an engine that claims work counts as stuck. */
const STILL_SCRAPES = 5;
/** And at least so long, however often it is scraped: a long prompt is read before anything counts. */
const STILL_MS = 5_000;
/** The same where the kind has no progress counter: an idle TensorRT-LLM keeps its last gauges. */
const STILL_MS_WITHOUT_COUNTER = 120_000;
/** Between two probes of a stuck engine: each may cost a request its time. */
const PROBE_EVERY_MS = 10_000;

/** Whether the work an engine claims moves. */
export interface Progress {
  readonly stuck: boolean;
  readonly movedAt: number;
  readonly stillScrapes: number;
  /** When the last probe was sent to it while stuck. */
  readonly probedAt: number | undefined;
  readonly last: Signals | undefined;
}

export function freshProgress(now: number): Progress {
  return { stuck: false, movedAt: now, stillScrapes: 0, probedAt: undefined, last: undefined };
}

/**
 * The engine claims to be busy, nothing of ours is there, and nothing moves: its load is unknown.
 * While something of ours is there, its end will tell, so a flag already set stays and none is set.
 */
export function observeProgress(
  before: Progress,
  signals: Signals,
  ourInFlight: number,
  now: number,
): Progress {
  const busy = (signals.running ?? 0) + (signals.waiting ?? 0) > 0;
  if (!busy || before.last === undefined || moved(before.last, signals)) {
    return { ...freshProgress(now), last: signals };
  }
  if (ourInFlight > 0) return { ...before, movedAt: now, stillScrapes: 0, last: signals };
  const stillScrapes = before.stillScrapes + 1;
  const stillMs = now - before.movedAt;
  const stuck =
    signals.progress === undefined
      ? stillMs >= STILL_MS_WITHOUT_COUNTER
      : stillScrapes >= STILL_SCRAPES && stillMs >= STILL_MS;
  return { ...before, stillScrapes, stuck: before.stuck || stuck, last: signals };
}

export function probeAllowed(progress: Progress, ourInFlight: number, now: number): boolean {
  if (!progress.stuck || ourInFlight > 0) return false;
  return progress.probedAt === undefined || now - progress.probedAt >= PROBE_EVERY_MS;
}

/** Any counter tells of work done; gauges only where there is no counter made for it. */
function moved(before: Signals, now: Signals): boolean {
  return (
    now.progress !== before.progress ||
    now.promptTokens !== before.promptTokens ||
    now.generationTokens !== before.generationTokens ||
    now.successes !== before.successes ||
    (now.progress === undefined &&
      (now.running !== before.running || now.waiting !== before.waiting || now.kvUsage !== before.kvUsage))
  );
}
