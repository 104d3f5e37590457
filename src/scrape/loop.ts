import type { Clock } from '../kit/clock.ts';
import { hash32 } from '../kit/hash.ts';
import { type Log, reason } from '../kit/log.ts';

export interface LoopSettings {
  readonly intervalMs: number;
  /** Decides the moment within the interval: engines are not all asked at once, and each keeps its moment. */
  readonly name: string;
}

export interface LoopDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** One round. Its failure is logged and the loop goes on. */
  readonly round: (signal: AbortSignal) => Promise<void>;
}

/** Runs a round at once and then every interval, never two at a time: a round that takes longer skips its turns. */
export class ScrapeLoop {
  readonly #deps: LoopDeps;
  readonly #settings: LoopSettings;
  #running: { readonly leave: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(deps: LoopDeps, settings: LoopSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  start(): void {
    if (this.#running !== undefined) return;
    const leave = new AbortController();
    this.#running = { leave, ended: this.#run(leave.signal) };
  }

  /** Resolves when no round runs any more; the one that does is told to end. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.leave.abort(new Error('scraping was stopped'));
    await running?.ended;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log, round } = this.#deps;
    let wake = (): void => {};
    // One listener for all turns: thousands of loops turn each second.
    signal.addEventListener('abort', () => wake(), { once: true });
    let due = clock.now();
    while (!signal.aborted) {
      try {
        await round(signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error('scrape round failed', { reason: reason(error) });
      }
      if (signal.aborted) return;
      // Timers may fire a little early: counted from then, the same moment would come twice.
      const now = Math.max(clock.now(), due);
      due = now + untilNextTurn(this.#settings, now);
      await new Promise<void>((resolve) => {
        const callOff = clock.after(due - clock.now(), resolve);
        wake = () => {
          callOff();
          resolve();
        };
      });
    }
  }
}

/** Milliseconds to the engine's next moment: the same in each interval. */
export function untilNextTurn({ intervalMs, name }: LoopSettings, now: number): number {
  const offset = (hash32(name) / 2 ** 32) * intervalMs;
  const into = (((now - offset) % intervalMs) + intervalMs) % intervalMs;
  const left = intervalMs - into;
  // At its very moment, but for the error of the division.
  return left < intervalMs * 1e-6 ? intervalMs : left;
}
