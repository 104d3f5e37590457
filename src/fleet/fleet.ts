import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';
import { Engine, type EngineSettings } from './engine.ts';
import type { EngineView } from './engine-view.ts';
import { defaultFleetSettings, type FleetSettings } from './fleet-settings.ts';

export interface FleetDeps {
  readonly clock: Clock;
  /** Spreads the moments at which failing engines are tried again; left out, they are spread by nothing. */
  readonly random?: Random;
}

/** All engines known now, by name, in the order they were added. */
export class Fleet {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #settings: FleetSettings;
  readonly #madeAt: number;
  readonly #engines = new Map<string, Engine>();

  constructor({ clock, random = () => 0.5 }: FleetDeps, settings: FleetSettings = defaultFleetSettings) {
    this.#clock = clock;
    this.#random = random;
    this.#settings = settings;
    this.#madeAt = clock.now();
  }

  add(settings: EngineSettings): Engine {
    if (this.#engines.has(settings.name)) throw new Error(`two engines are named "${settings.name}"`);
    // While the fleet itself is young nobody in it is newer than the others.
    const isNew = this.#clock.now() - this.#madeAt > this.#settings.slowStartMs;
    const deps = { clock: this.#clock, random: this.#random, isNew };
    const engine = new Engine(settings, deps, this.#settings);
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
