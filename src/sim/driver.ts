import type { Clock } from '../kit/clock.ts';
import { type Log, reason } from '../kit/log.ts';
import type { Random } from '../kit/random.ts';
import { type FaultRates, fated } from './fate.ts';
import { Feed } from './feed.ts';
import { advanceLife, beginLife, type Life, type Work } from './life.ts';
import { admits, createEngine, type EngineSettings, type EngineState } from './model/engine.ts';
import type {
  EngineEvent,
  EvictedEvent,
  FinishedEvent,
  PrefilledEvent,
  RequestEvent,
  StepEvent,
  TokensEvent,
} from './model/engine-event.ts';
import { type EngineSnapshot, type SequenceView, sequencesOf, snapshotOf } from './model/snapshot.ts';
import { requestOverheadMs } from './model/step-time.ts';
import { RankLoop } from './rank-loop.ts';

export type GenerationEvent = PrefilledEvent | TokensEvent | FinishedEvent;

/** One request in the engine. Its events come at the end of the step that made them. */
export interface Generation {
  readonly events: AsyncIterable<GenerationEvent>;
  readonly life: Readonly<Life>;
  /** The engine drops it at the start of its next step. Nothing happens to one that has finished. */
  abort(): void;
}

/** Sees each step before the requests do: a client that has its last token finds it counted. */
export interface StepObserver {
  /** `life` is as it was before the event. */
  onRequest(rank: number, event: RequestEvent, life: Readonly<Life>): void;
  /** What is no request's own. */
  onEngine(rank: number, event: StepEvent | EvictedEvent): void;
  onStepEnd(rank: number, snapshot: EngineSnapshot, atMs: number): void;
}

export interface DriverSettings {
  readonly engine: EngineSettings;
  readonly ranks: number;
  readonly speed: number;
  readonly faults: FaultRates;
}

interface Held {
  readonly life: Life;
  readonly feed: Feed<GenerationEvent>;
}

/** The engine behind a simulated server: one loop per rank, requests in, events out. */
export class Driver {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: Random;
  readonly #settings: DriverSettings;
  readonly #observer: StepObserver;
  readonly #engines: readonly EngineState[];
  readonly #loops: readonly RankLoop[];
  readonly #held = new Map<string, Held>();
  #stopped = false;
  #nextId = 0;

  constructor(
    { clock, log, random, observer }: { clock: Clock; log: Log; random: Random; observer: StepObserver },
    settings: DriverSettings,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#random = random;
    this.#observer = observer;
    this.#settings = settings;
    const { engine, ranks, speed } = settings;
    this.#engines = Array.from({ length: ranks }, (_, rank) =>
      createEngine({ ...engine, seed: engine.seed + rank }),
    );
    this.#loops = this.#engines.map(
      (state, rank) =>
        new RankLoop(state, {
          clock,
          speed,
          onStep: (events) => this.#publish(rank, events),
          onFailure: (error) => this.#fail(rank, error),
        }),
    );
  }

  /** Whether prompt and answer can ever fit. */
  admits(work: Work): boolean {
    const [engine] = this.#engines;
    return engine !== undefined && admits(engine, { id: '', ...work }) === undefined;
  }

  /** Goes to the rank with the fewest requests, after the time the stack in front of the engine takes. */
  async submit(asked: Work): Promise<Generation> {
    const { profile } = this.#settings.engine;
    const work = fated(asked, this.#settings.faults, this.#random);
    const arrivedMs = this.#clock.now();
    const overheadMs = requestOverheadMs(profile, work.promptTokens) / this.#settings.speed;
    if (overheadMs > 0) await this.#clock.sleep(overheadMs);
    const rank = this.#leastLoaded();
    const id = `r${this.#nextId}`;
    this.#nextId += 1;
    const held = { life: beginLife(id, rank, work, arrivedMs), feed: new Feed<GenerationEvent>() };
    if (this.#stopped) held.feed.end(new Error('the simulated engine was stopped'));
    else {
      this.#held.set(id, held);
      this.#loops[rank]?.add({ id, ...work });
    }
    return {
      events: held.feed,
      life: held.life,
      abort: () => {
        if (this.#held.has(id)) this.#loops[rank]?.abort(id);
      },
    };
  }

  /** Requests per rank that have come and not gone, also those the engine has not looked at yet. */
  inFlight(): readonly number[] {
    const counts = this.#engines.map(() => 0);
    for (const { life } of this.#held.values()) counts[life.rank] = (counts[life.rank] ?? 0) + 1;
    return counts;
  }

  /** Every request the engine has taken in: running ones first, each rank after the other. */
  sequences(): readonly SequenceView[] {
    return this.#engines.flatMap((engine) => sequencesOf(engine));
  }

  /** Resolves when no rank is in the middle of a step. */
  async betweenSteps(): Promise<void> {
    await Promise.allSettled(this.#loops.map((loop) => loop.betweenSteps()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    this.#drop(() => true, 'the simulated engine was stopped');
  }

  #leastLoaded(): number {
    const counts = this.inFlight();
    return counts.indexOf(Math.min(...counts));
  }

  #publish(rank: number, events: readonly EngineEvent[]): void {
    const engine = this.#engines[rank];
    if (engine === undefined) return;
    for (const event of events) {
      if (event.type === 'step' || event.type === 'evicted') {
        this.#observer.onEngine(rank, event);
        continue;
      }
      const life = this.#held.get(event.id)?.life;
      if (life === undefined) continue;
      this.#observer.onRequest(rank, event, life);
      advanceLife(life, event);
    }
    this.#observer.onStepEnd(rank, snapshotOf(engine), events.at(-1)?.atMs ?? this.#clock.now());
    for (const event of events) this.#tell(event);
  }

  #tell(event: EngineEvent): void {
    if (event.type !== 'prefilled' && event.type !== 'tokens' && event.type !== 'finished') return;
    const held = this.#held.get(event.id);
    held?.feed.push(event);
    if (event.type !== 'finished') return;
    held?.feed.end();
    this.#held.delete(event.id);
  }

  #fail(rank: number, error: unknown): void {
    this.#log.error('a simulated engine failed', { rank, reason: reason(error) });
    this.#drop((life) => life.rank === rank, 'the simulated engine failed');
  }

  #drop(which: (life: Life) => boolean, why: string): void {
    for (const [id, { life, feed }] of this.#held) {
      if (!which(life)) continue;
      feed.end(new Error(why));
      this.#held.delete(id);
    }
  }
}
