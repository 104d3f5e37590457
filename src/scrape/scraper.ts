import type { Engine } from '../fleet/engine.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { EngineWatch, type WatchDeps, type WatchSettings } from './engine-watch.ts';
import { ScrapeLoop } from './loop.ts';

export interface ScrapeSettings extends WatchSettings {
  readonly intervalMs: number;
}

export const defaultScrapeSettings: ScrapeSettings = {
  intervalMs: 1_000,
  // Above the interval: llama.cpp answers between two batches, and a loop never overlaps itself.
  timeoutMs: 5_000,
  maxPageBytes: 16 * 1024 * 1024,
  // Several times what a Ray cluster's page of as many bytes has.
  page: { lines: 500_000, series: 250_000, labelBytes: 16 * 1024 },
  healthEveryMs: 5_000,
};

export interface ScraperDeps extends WatchDeps {
  readonly fleet: Fleet;
}

interface Watched {
  readonly watch: EngineWatch;
  readonly loop: ScrapeLoop;
  readonly leave: AbortController;
  readonly looks: Set<Promise<void>>;
}

/** Keeps what the fleet knows current: one loop an engine. */
export class Scraper {
  readonly #deps: ScraperDeps;
  readonly #settings: ScrapeSettings;
  readonly #watched = new Map<Engine, Watched>();

  constructor(deps: ScraperDeps, settings: ScrapeSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  /** Begins with every engine of the fleet. */
  start(): void {
    for (const engine of this.#deps.fleet.engines()) this.add(engine);
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watched.keys()].map((engine) => this.remove(engine)));
  }

  add(engine: Engine): void {
    if (this.#watched.has(engine)) return;
    const { clock, log } = this.#deps;
    const watch = new EngineWatch(this.#deps, engine, this.#settings);
    const loop = new ScrapeLoop(
      { clock, log: log.child({ engine: engine.name }), round: (signal) => watch.round(signal) },
      { intervalMs: this.#settings.intervalMs, name: engine.name },
    );
    this.#watched.set(engine, { watch, loop, leave: new AbortController(), looks: new Set() });
    loop.start();
  }

  async remove(engine: Engine): Promise<void> {
    const watched = this.#watched.get(engine);
    if (watched === undefined) return;
    this.#watched.delete(engine);
    watched.leave.abort(new Error('scraping was stopped'));
    await Promise.all([watched.loop.stop(), ...watched.looks]);
  }

  /**
   * Reads the engine's identity and model list again, now: a request found it to serve something else. Resolves
   * when that is done, whatever came of it.
   */
  async lookNow(engine: Engine): Promise<void> {
    const watched = this.#watched.get(engine);
    if (watched === undefined) return;
    const look = watched.watch.lookNow(watched.leave.signal).catch(() => {});
    watched.looks.add(look);
    await look;
    watched.looks.delete(look);
  }
}
