import type { Clock } from '../kit/clock.ts';
import { type Log, reason } from '../kit/log.ts';
import { type Rendered, renderPage } from './rendered-page.ts';
import type { RawPage, TranslatedEngine } from './translate.ts';
import { TranslateThread } from './translate-thread.ts';

/**
 * Pages from this size on are translated on a thread of their own, so that no stream waits for them: by
 * `bench/translate.ts` one of it takes five to ten milliseconds, about a token of a fast engine.
 */
const LARGE_BYTES = 64 * 1_024;
/** Below this nobody waits for the thread to start: a scrape of a second would fail, and streams stand still for less. */
const WORTH_WAITING_BYTES = 1_024 * 1_024;
/** After a thread that died, so long is translated here: what killed it may still be asked for. */
const RETRY_MS = 60_000;

export interface TranslatorDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly startThread?: () => TranslateThread;
}

interface TranslatorLimits {
  /** From this size on a thread translates, as soon as it has started. */
  readonly largeBytes: number;
  /** From this size on a page waits until it has. */
  readonly waitBytes: number;
}

interface Kept {
  readonly engine: TranslatedEngine;
  readonly rendered: Promise<Rendered>;
}

/**
 * Engines' pages in vLLM's names, when somebody asks. One page is translated once, however often and by however many
 * it is asked for, and its translation goes when the page goes. While an engine's page is translated, whoever asks for
 * a newer one gets that.
 */
export class Translator {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #startThread: () => TranslateThread;
  readonly #limits: TranslatorLimits;
  readonly #kept = new WeakMap<Uint8Array, Kept>();
  /** By engine: while a page takes longer than a scrape, new ones must not queue up behind it. */
  readonly #running = new Map<string, Kept>();
  #thread: TranslateThread | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(
    { clock, log, startThread = () => new TranslateThread() }: TranslatorDeps,
    limits: TranslatorLimits = { largeBytes: LARGE_BYTES, waitBytes: WORTH_WAITING_BYTES },
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#startThread = startThread;
    this.#limits = limits;
  }

  render(page: RawPage, engine: TranslatedEngine): Promise<Rendered> {
    const kept = this.#kept.get(page.bytes);
    if (kept !== undefined && isSame(kept.engine, engine)) return kept.rendered;
    const running = this.#running.get(engine.name);
    if (running !== undefined && isSame(running.engine, engine)) return running.rendered;
    const rendered = this.#render(page, engine);
    const begun: Kept = { engine, rendered };
    this.#kept.set(page.bytes, begun);
    this.#running.set(engine.name, begun);
    const end = (): void => {
      if (this.#running.get(engine.name) === begun) this.#running.delete(engine.name);
    };
    rendered.then(end, () => {
      end();
      // What failed is not worth keeping.
      this.#kept.delete(page.bytes);
    });
    return rendered;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#thread?.stop();
  }

  async #render(page: RawPage, engine: TranslatedEngine): Promise<Rendered> {
    const size = page.bytes.byteLength;
    if (size >= this.#limits.largeBytes) {
      const thread = this.#threadNow();
      const waits = thread?.ready === true || size >= this.#limits.waitBytes;
      try {
        if (thread !== undefined && waits) return await thread.render(page, engine);
      } catch (error) {
        if (!this.#stopped) this.#failed(error);
      }
    }
    return renderPage(page, engine);
  }

  #threadNow(): TranslateThread | undefined {
    if (this.#thread?.alive === true) return this.#thread;
    if (this.#stopped || this.#clock.now() - this.#failedAt < RETRY_MS) return undefined;
    try {
      this.#thread = this.#startThread();
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
    return this.#thread;
  }

  #failed(error: unknown): void {
    // Many pages fail with one thread: that is one line.
    if (this.#clock.now() - this.#failedAt >= RETRY_MS) {
      this.#log.warn('large metrics pages are translated beside the streams', { reason: reason(error) });
    }
    this.#failedAt = this.#clock.now();
  }
}

function isSame(one: TranslatedEngine, other: TranslatedEngine): boolean {
  return (
    one.name === other.name &&
    one.runtime === other.runtime &&
    one.profile === other.profile &&
    one.models === other.models
  );
}
