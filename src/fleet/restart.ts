import type { Signals } from '../engines/signals.ts';
import type { ScrapeReport } from './scrape-report.ts';

/** Of one process the start is told with the same figure each time, but for rounding. */
const START_SLACK_SECONDS = 1;

/**
 * What a page says of the process behind the address. `anew`: it began again (or its metrics did, which is the same to
 * us). `other`: it no longer tells its load, as the page of another kind of engine would not.
 */
export type Succession = 'same' | 'anew' | 'other';

type Told = Pick<ScrapeReport, 'signals' | 'contract'>;

/** Compares each page with the one before, also when the engine was lost in between: a restart takes its time. */
export class Processes {
  #last: Told | undefined;

  observe(now: Told): Succession {
    const before = this.#last;
    const succession = before === undefined ? 'same' : successionOf(before, now);
    // Of a page that could not be read there may be nothing to compare with.
    if (now.contract !== 'malformed' || succession === 'anew') this.#last = now;
    return succession;
  }
}

function successionOf(before: Told, now: Told): Succession {
  if (restarted(before.signals, now.signals)) return 'anew';
  const told = before.contract === 'complete' || before.contract === 'partial';
  return told && now.contract === 'blind' ? 'other' : 'same';
}

/** Another start, or a counter that fell. */
function restarted(before: Signals, now: Signals): boolean {
  return (
    startsApart(before.processStartedAt, now.processStartedAt) ||
    fell(before.promptTokens, now.promptTokens) ||
    fell(before.generationTokens, now.generationTokens) ||
    fell(before.successes, now.successes) ||
    fell(before.progress, now.progress)
  );
}

function startsApart(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && Math.abs(now - before) > START_SLACK_SECONDS;
}

function fell(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now < before;
}
