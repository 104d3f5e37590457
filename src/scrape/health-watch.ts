import type { Engine } from '../fleet/engine.ts';
import type { Clock } from '../kit/clock.ts';
import { lookAtHealth } from './alive.ts';
import type { Ask } from './ask.ts';

/** So many times rarer where each look costs the engine work. */
const COSTLY_TIMES = 3;

/**
 * When an engine's health path is asked beside its page, and what its answer counts as. A page is served by some kinds
 * while the engine behind it still loads, or is dead.
 */
export class HealthWatch {
  readonly #clock: Clock;
  readonly #engine: Engine;
  readonly #everyMs: number;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, engine: Engine, everyMs: number) {
    this.#clock = clock;
    this.#engine = engine;
    this.#everyMs = everyMs;
  }

  /** Somebody has just asked it and all was well. */
  wasWell(): void {
    this.#askedAt = this.#clock.now();
    if (this.#engine.contact.heldBy !== undefined) this.#engine.reportHealthy();
  }

  /** Whether it may be asked since the page did not come: where that is costly, not at every round. */
  mayAsk(): boolean {
    if (!this.#isCostly) return true;
    if (this.#clock.now() - this.#askedAt < COSTLY_TIMES * this.#everyMs) return false;
    this.#askedAt = this.#clock.now();
    return true;
  }

  /** Asks when it is time to, while the page is read. */
  async check(ask: Ask): Promise<void> {
    const engine = this.#engine;
    const isHeld = engine.contact.heldBy !== undefined;
    const isTime = !this.#isCostly && this.#clock.now() - this.#askedAt >= this.#everyMs;
    if (!isHeld && !isTime) return;
    this.#askedAt = this.#clock.now();
    const alive = await lookAtHealth(ask, engine.identity?.profile);
    if (alive.state === 'alive') engine.reportHealthy();
    else if (alive.state === 'loading') {
      if (engine.contact.health !== 'loading') engine.reportLoading(alive.reason);
      // Where nobody answers the page does not come either, and that counts already.
    } else if (!alive.failure.unreachable) engine.reportRefusal(alive.failure.reason);
  }

  get #isCostly(): boolean {
    return this.#engine.identity?.profile.health.costly === true;
  }
}
