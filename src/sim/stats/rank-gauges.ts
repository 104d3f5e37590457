import type { EngineSnapshot } from '../model/snapshot.ts';
import type { KindStats } from './kind-stats.ts';
import { ratio } from './ledger.ts';

/** What a page says of one rank at the moment. */
export interface RankFigures {
  readonly running: number;
  readonly waiting: number;
  readonly kvUsage: number;
  readonly kvBlocksUsed: number;
}

/** One step, as far as gauges depend on it. */
export interface StepFigures {
  readonly computedTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  /** Sequences that gave tokens. */
  readonly outputs: number;
  /** Requests that ended by themselves. */
  readonly finished: number;
}

const NOTHING: RankFigures = { running: 0, waiting: 0, kvUsage: 0, kvBlocksUsed: 0 };

/** SGLang's `decode_log_interval`. */
const LOG_EVERY_STEPS = 40;

/** What one rank's gauges show: real engines write them at moments of their own and not when one looks. */
export class RankGauges {
  readonly #when: KindStats['gaugesAt'];
  readonly #kvUsage: KindStats['kvUsage'];
  #shown = NOTHING;
  #latest = NOTHING;
  #stepsSinceLog = 0;
  #tokensSinceLog = 0;
  #loggedAtMs: number | undefined;
  #completed = false;
  #throughput = 0;
  #hitRate = 0;

  constructor({ gaugesAt, kvUsage }: Pick<KindStats, 'gaugesAt' | 'kvUsage'>) {
    this.#when = gaugesAt;
    this.#kvUsage = kvUsage;
  }

  get shown(): RankFigures {
    return this.#shown;
  }

  /** Tokens per second at the last log interval; kept when idle. */
  get throughput(): number {
    return this.#throughput;
  }

  /** Of the last batch that had a prefill. */
  get hitRate(): number {
    return this.#hitRate;
  }

  /** True when this step's figures went out. */
  stepEnded(snapshot: EngineSnapshot, step: StepFigures, atMs: number): boolean {
    const { running, waiting, kvBlocksUsed } = snapshot;
    const kvUsage = this.#kvUsage === 'held' ? snapshot.kvUsage : snapshot.kvReserved;
    this.#latest = { running, waiting, kvUsage, kvBlocksUsed };
    const prefilled = step.computedTokens > 0;
    if (prefilled) this.#hitRate = ratio(step.cachedTokens, step.cachedTokens + step.computedTokens);
    const publish = this.#due(step, prefilled, atMs);
    if (publish) this.#shown = this.#latest;
    return publish;
  }

  #due(step: StepFigures, prefilled: boolean, atMs: number): boolean {
    if (this.#when === 'completion') return this.#afterCompletion(step.finished > 0);
    if (this.#when !== 'batch') return true;
    this.#stepsSinceLog += 1;
    this.#tokensSinceLog += step.generatedTokens;
    const decodeLog = this.#stepsSinceLog >= LOG_EVERY_STEPS;
    if (decodeLog) {
      this.#throughput = ratio(this.#tokensSinceLog * 1000, atMs - (this.#loggedAtMs ?? atMs));
      this.#stepsSinceLog = 0;
      this.#tokensSinceLog = 0;
    }
    if (decodeLog || this.#loggedAtMs === undefined) this.#loggedAtMs = atMs;
    return prefilled || decodeLog || this.#idle;
  }

  /** The collector is woken by a completion and reads the newest record, which by then is that of the next iteration. */
  #afterCompletion(completes: boolean): boolean {
    const due = this.#completed || (completes && this.#idle);
    this.#completed = completes && !this.#idle;
    return due;
  }

  get #idle(): boolean {
    return this.#latest.running + this.#latest.waiting === 0;
  }
}
