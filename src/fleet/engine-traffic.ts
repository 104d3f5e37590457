import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';
import * as breakers from './breaker.ts';
import type { FaultCause, Lease } from './lease.ts';

interface Running {
  readonly sentAt: number;
  heardAt: number;
  lost: boolean;
  readonly onLost: (reason: string) => void;
}

export interface TrafficDeps {
  readonly clock: Clock;
  /** For the breaker's times. */
  readonly random: Random;
  /** Told when the breaker has closed again. */
  readonly onClosed: () => void;
}

/** Our requests on one engine: how many, what came of them, and what its breaker makes of that. */
export class EngineTraffic {
  readonly #deps: TrafficDeps;
  readonly #settings: breakers.BreakerSettings;
  readonly #running = new Set<Running>();
  readonly #faults = new Map<FaultCause, number>();
  #breaker: breakers.Breaker;
  #sent = 0;

  constructor(deps: TrafficDeps, settings: breakers.BreakerSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#breaker = breakers.freshBreaker(deps.clock.now());
  }

  /** Requests that ever began. */
  get sent(): number {
    return this.#sent;
  }

  /** Of them, those that are over. */
  get finished(): number {
    return this.#sent - this.#running.size;
  }

  get inFlight(): number {
    return this.#running.size;
  }

  get faults(): ReadonlyMap<FaultCause, number> {
    return this.#faults;
  }

  get breakerState(): breakers.BreakerState {
    return breakers.breakerState(this.#breaker, this.#deps.clock.now());
  }

  get breakerAdmits(): boolean {
    return breakers.admits(this.#breaker, this.#deps.clock.now());
  }

  begin(onLost: (reason: string) => void): Lease {
    const { clock } = this.#deps;
    const now = clock.now();
    const running: Running = { sentAt: now, heardAt: now, lost: false, onLost };
    this.#sent += 1;
    this.#running.add(running);
    this.#breaker = breakers.sent(this.#breaker, running, now);
    return {
      heard() {
        running.heardAt = clock.now();
      },
      answered: () => this.#answered(running),
      succeeded: () => {
        this.#breaker = breakers.succeeded(this.#breaker, clock.now(), this.#settings);
      },
      faulted: (cause) => this.#faulted(running, cause),
      end: () => {
        this.#running.delete(running);
        this.#breaker = breakers.ended(this.#breaker, running);
      },
    };
  }

  /** The engine was away and is back. */
  returned(): void {
    this.#breaker = breakers.returned(this.#breaker, this.#deps.clock.now());
  }

  /**
   * Gives up every request that has shown no sign of life since then. A stream that still brings something is none of
   * them: an engine that was told to stop takes no connections and finishes its answers.
   */
  lose(silentSince: number, reason: string): void {
    for (const running of [...this.#running]) {
      if (running.lost || running.heardAt >= silentSince) continue;
      running.lost = true;
      running.onLost(reason);
    }
  }

  #answered({ sentAt }: Running): void {
    const wasClosed = this.#breaker.open === undefined;
    this.#breaker = breakers.answered(this.#breaker, sentAt, this.#deps.clock.now());
    if (!wasClosed && this.#breaker.open === undefined) this.#deps.onClosed();
  }

  #faulted(token: Running, cause: FaultCause): void {
    const { clock, random } = this.#deps;
    this.#faults.set(cause, (this.#faults.get(cause) ?? 0) + 1);
    const fault = { token, sentAt: token.sentAt, now: clock.now() };
    this.#breaker = breakers.faulted(this.#breaker, fault, this.#settings, random);
  }
}
