import type { Clock } from '../kit/clock.ts';
import { atSpeed } from './model/at-speed.ts';
import { type EngineState, hasWork } from './model/engine.ts';
import type { EngineEvent } from './model/engine-event.ts';
import type { RequestSpec } from './model/sequence.ts';
import { step } from './model/step.ts';

/** Further behind than this (a suspended laptop, a starved machine) the lost time is not made up for. */
const MAX_LATE_MS = 100;

export interface RankLoopOptions {
  readonly clock: Clock;
  /** How much faster than the model's profile. */
  readonly speed: number;
  /** At the end of each step: its events, their times on the clock. */
  readonly onStep: (events: readonly EngineEvent[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Steps one engine rank in real time while it has work; without work nothing runs and no timer is set. */
export class RankLoop {
  readonly #engine: EngineState;
  readonly #options: RankLoopOptions;
  readonly #stop = new AbortController();
  #arrivals: RequestSpec[] = [];
  #aborts: string[] = [];
  #running = false;
  #ended: Promise<void> = Promise.resolve();
  #stepEnd: Promise<void> = Promise.resolve();

  constructor(engine: EngineState, options: RankLoopOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  add(spec: RequestSpec): void {
    this.#arrivals.push(spec);
    this.#wake();
  }

  abort(id: string): void {
    this.#aborts.push(id);
    this.#wake();
  }

  /** Resolves when the step that is being computed is over; at once when there is none. */
  betweenSteps(): Promise<void> {
    return this.#stepEnd;
  }

  /** Ends the step that is being computed, without its events. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the simulated engine was stopped'));
    await this.#ended;
  }

  #wake(): void {
    if (this.#running || this.#stop.signal.aborted) return;
    this.#running = true;
    this.#ended = this.#runToEnd();
  }

  async #runToEnd(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onFailure(error);
    } finally {
      // In the same turn as the last look for work, so that no request is overlooked.
      this.#running = false;
    }
  }

  async #run(): Promise<void> {
    const { clock, speed, onStep } = this.#options;
    let dueMs = clock.now();
    while (this.#arrivals.length > 0 || this.#aborts.length > 0 || hasWork(this.#engine)) {
      const input = { arrivals: this.#arrivals, aborts: this.#aborts, nowMs: dueMs * speed };
      this.#arrivals = [];
      this.#aborts = [];
      const { elapsedMs, events } = step(this.#engine, input);
      // The next step begins when this one was due, not when a late timer fired: speed stays true on average.
      dueMs += elapsedMs / speed;
      if (elapsedMs > 0) {
        this.#stepEnd = this.#until(dueMs);
        await this.#stepEnd;
      }
      onStep(events.map((event) => atSpeed(event, speed)));
      if (clock.now() - dueMs > MAX_LATE_MS) dueMs = clock.now();
    }
  }

  async #until(dueMs: number): Promise<void> {
    const { clock } = this.#options;
    const ms = dueMs - clock.now();
    // When behind, sockets get their turn all the same.
    if (ms <= 0) await new Promise((resolve) => setImmediate(resolve));
    else await clock.sleep(ms, this.#stop.signal);
    this.#stop.signal.throwIfAborted();
  }
}
