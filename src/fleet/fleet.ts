import type { Clock } from '../kit/clock.ts';
import { Engine, type EngineSettings } from './engine.ts';
import type { EngineView } from './engine-view.ts';

/** All engines known now, by name, in the order they were added. */
export class Fleet {
  readonly #clock: Clock;
  readonly #engines = new Map<string, Engine>();

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  add(settings: EngineSettings): Engine {
    if (this.#engines.has(settings.name)) throw new Error(`two engines are named "${settings.name}"`);
    const engine = new Engine(settings, this.#clock);
    this.#engines.set(settings.name, engine);
    return engine;
  }

  remove(name: string): void {
    this.#engines.delete(name);
  }

  get(name: string): Engine | undefined {
    return this.#engines.get(name);
  }

  engines(): readonly Engine[] {
    return [...this.#engines.values()];
  }

  snapshot(): readonly EngineView[] {
    return this.engines().map((engine) => engine.view());
  }
}
