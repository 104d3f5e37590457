import type { WrittenFamily } from '../../exposition/write-text.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Driver } from '../driver.ts';
import type { ModelProfile } from '../model/model-profile.ts';
import type { SimStats } from '../stats/sim-stats.ts';
import type { Exchange, HttpManner } from './exchange.ts';
import type { Problem, Refusal } from './problem.ts';

/** What every kind's API is built on. */
export interface ApiContext {
  readonly model: string;
  /** LoRA adapters, served as further models. */
  readonly adapters: readonly string[];
  readonly key: string | undefined;
  readonly host: string;
  readonly profile: ModelProfile;
  readonly ranks: number;
  readonly maxSeqs: number;
  readonly blockTokens: number;
  readonly kvTokens: number;
  readonly contextTokens: number;
  readonly speed: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly driver: Driver;
  readonly stats: SimStats;
  /** Its own metrics page, as of now. Some kinds count from page to page: asked for once per answer. */
  readonly families: () => readonly WrittenFamily[];
  /** The same as text. */
  readonly page: () => string;
  /** Hex digits, new each time, the same sequence for one seed and port. */
  readonly newId: (digits: number) => string;
  readonly startedWallMs: number;
}

export type Handler = (exchange: Exchange) => Promise<void> | void;

/** Path -> method -> handler. A path that ends in `*` stands for what begins so. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** One kind's HTTP surface. */
export interface KindApi {
  readonly manner: HttpManner;
  readonly routes: Routes;
  /** Before anything else; a problem is answered instead. */
  readonly guard: (exchange: Exchange, known: boolean) => Problem | undefined;
  readonly refuse: (problem: Problem, exchange: Exchange) => Refusal;
}

export function wallSeconds(clock: Clock): number {
  return Math.floor(clock.wallTime() / 1000);
}
