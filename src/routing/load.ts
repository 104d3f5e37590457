import type { EngineView } from '../fleet/engine-view.ts';

/** Of an engine whose claim of being busy is not believed and which may not be tried now: behind all others. */
const STUCK = 1_000_000;

/**
 * The load that policies compare: what `requestsOn` says, and more for an engine that has not its full share yet, so
 * that it fills up to that share of the others' load and no further.
 */
export function loadOf(engine: EngineView): number {
  const requests = requestsOn(engine);
  return engine.share === 1 ? requests : (requests + 1) / engine.share - 1;
}

/**
 * How many requests an engine has, by all we know: what it reported, of all senders, corrected by what we sent and
 * saw finish since; never less than our own. An engine whose numbers cannot be had or trusted is judged by our own
 * alone, so it keeps getting traffic. A stuck one counts as idle when one request may try it.
 */
function requestsOn(engine: EngineView): number {
  switch (engine.contract) {
    case 'blind':
    case 'unseen':
    case 'none':
    case 'malformed':
      return engine.inFlight;
    case 'stuck':
      return engine.probeAllowed ? 0 : STUCK + engine.inFlight;
    case 'complete':
    case 'partial':
      return Math.max(engine.inFlight, correctedReport(engine) ?? 0);
  }
}

function correctedReport({ signals, sentSinceReport, finishedSinceReport }: EngineView): number | undefined {
  if (signals?.running === undefined && signals?.waiting === undefined) return undefined;
  return (signals.running ?? 0) + (signals.waiting ?? 0) + sentSinceReport - finishedSinceReport;
}
