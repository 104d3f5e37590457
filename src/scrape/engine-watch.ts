import { PageLimitError, type PageLimits } from '../exposition/page-limits.ts';
import type { Engine } from '../fleet/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { lookAtHealth } from './alive.ts';
import { type PageReader, pageReader, readPage } from './apply.ts';
import { askEngine } from './ask.ts';
import { logChanges, stateOf } from './changes.ts';
import { type EngineRequest, pageIsElsewhere, pageRequest } from './engine-request.ts';
import { limitFailure, type ScrapeFailure } from './failure.ts';
import { type Fetched, type FetchLimits, fetchPage } from './fetch.ts';
import { fetchModelPages } from './fetch-model-pages.ts';
import { HealthWatch } from './health-watch.ts';
import { type Look, type LookDeps, lookAtEngine } from './look.ts';
import { listProblem, readLoaded, readModels } from './look-models.ts';
import { pageHint } from './page-hint.ts';

const MODELS_EVERY_MS = 30_000;
const LOADED_EVERY_MS = 5_000;
/** An engine that answers, but not with its page, may be of another kind by now. */
const LOOK_AGAIN_MS = 30_000;
/** After a look that found nothing while the page still comes: it may hang, and rounds wait for it. */
const LOOK_RETRY_MS = 5_000;
/** Requests may ask for a look: many at once are one. */
const LOOK_NOW_GAP_MS = 1_000;

export interface WatchDeps extends LookDeps {
  readonly clock: Clock;
  readonly log: Log;
}

export interface WatchSettings extends FetchLimits {
  /** How much of a page is read, beside its bytes. */
  readonly page: PageLimits;
  /** Between two looks at a health path beside the page. */
  readonly healthEveryMs: number;
}

/** Keeps one engine's entry in the fleet current, a round at a time. */
export class EngineWatch {
  readonly #deps: WatchDeps;
  readonly #engine: Engine;
  readonly #limits: WatchSettings;
  readonly #health: HealthWatch;
  #reader: PageReader | undefined;
  /** When to look who it is, by the clock; absent: not needed. */
  #lookAt: number | undefined = Number.NEGATIVE_INFINITY;
  #mustReadWhole = true;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #modelsAt = Number.NEGATIVE_INFINITY;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #lastLook: Look | undefined;
  #pageStatus: number | undefined;

  constructor(deps: WatchDeps, engine: Engine, settings: WatchSettings) {
    this.#deps = deps;
    this.#engine = engine;
    this.#limits = settings;
    this.#health = new HealthWatch(deps.clock, engine, settings.healthEveryMs);
  }

  /** What the last look at who the engine is came to; absent before the first. */
  get lastLook(): Look | undefined {
    return this.#lastLook;
  }

  /** What the path of its page answered the last time no page came, if it answered. */
  get pageStatus(): number | undefined {
    return this.#pageStatus;
  }

  /** Looks who the engine is when that is due, then reads its page, or its health where the kind has none. */
  async round(signal: AbortSignal): Promise<void> {
    const before = stateOf(this.#engine);
    await this.#round(signal);
    logChanges(this.#deps.log, this.#engine, before, stateOf(this.#engine));
  }

  /** Reads identity and models again; calls that come close together share one look. */
  async lookNow(signal: AbortSignal): Promise<void> {
    if (this.#looking === undefined && this.#deps.clock.now() - this.#lookedAt < LOOK_NOW_GAP_MS) return;
    const before = stateOf(this.#engine);
    await this.#look(signal);
    logChanges(this.#deps.log, this.#engine, before, stateOf(this.#engine));
  }

  async #round(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    if (this.#engine.identity === undefined || (this.#lookAt !== undefined && now >= this.#lookAt)) {
      await this.#look(signal);
    } else if (now - this.#modelsAt >= MODELS_EVERY_MS) {
      await this.#readModels(signal);
    }
    const { identity } = this.#engine;
    if (identity === undefined) return;
    const request = pageRequest(this.#engine.settings, identity.profile);
    if (request === undefined) return this.#readHealth(signal);
    if (identity.profile.loadedPath !== undefined && now - this.#loadedAt >= LOADED_EVERY_MS) {
      await this.#readLoaded(signal);
    }
    await Promise.all([this.#health.check(this.#ask(signal)), this.#scrape(request, signal)]);
  }

  #look(signal: AbortSignal): Promise<void> {
    this.#looking ??= this.#lookOnce(signal).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(signal: AbortSignal): Promise<void> {
    const engine = this.#engine;
    // First, so that what is seen of it while we look can ask for another one.
    this.#lookAt = undefined;
    const look = await lookAtEngine(this.#deps, engine.settings, this.#limits, signal);
    this.#lastLook = look;
    const now = this.#now();
    this.#lookedAt = now;
    if (look.state === 'seen') {
      const changed = look.identity.profile !== engine.identity?.profile;
      const models = look.listed || changed ? look.identity.models : (engine.identity?.models ?? []);
      engine.identify({ ...look.identity, models });
      if (changed) this.#reader = pageReader(look.identity.profile);
      this.#mustReadWhole = true;
      this.#modelsAt = now;
      this.#loadedAt = now;
      this.#health.wasWell();
      return;
    }
    // The scrape that follows tells how contact stands.
    if (engine.identity !== undefined) this.#lookAt = now + LOOK_RETRY_MS;
    if (look.state === 'loading') engine.reportLoading(look.reason);
    else if (engine.identity === undefined) engine.reportMiss(look.failure.cause, look.failure.reason);
  }

  async #scrape(request: EngineRequest, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const engine = this.#engine;
    const startedAt = clock.now();
    engine.scrapeStarts();
    const fetched = await this.#fetch(request, signal);
    if (!('page' in fetched)) return this.#missed(fetched.failure, fetched.status, signal);
    const reader = this.#readerOf();
    if (reader === undefined) return;
    const whole = this.#mustReadWhole || engine.problem !== undefined;
    const read = readPage(reader, fetched.page, whole, this.#limits.page);
    if (read instanceof PageLimitError)
      return this.#missed(limitFailure(read, request.url), undefined, signal);
    const page = { ...fetched.page, at: clock.now() };
    const { restarted } = engine.reportScrape({ startedAt, page, ...read });
    this.#mustReadWhole = restarted;
    if (restarted) await this.#look(signal);
  }

  async #fetch(request: EngineRequest, signal: AbortSignal): Promise<Fetched> {
    const { http } = this.#deps;
    const { identity, settings } = this.#engine;
    const metrics = identity?.profile.metrics;
    if (identity === undefined || metrics?.perModel === undefined) {
      const into = this.#engine.takeSpare();
      return fetchPage(http, request, this.#limits, signal, metrics?.otherForm, into);
    }
    const deps = { http, ask: this.#ask(signal), limits: this.#limits };
    const { fetched, list } = await fetchModelPages(deps, settings, identity.profile, signal);
    if (list !== undefined && this.#engine.identity === identity) {
      this.#modelsAt = this.#now();
      const modelsProblem = listProblem(list, identity.profile.modelsPath);
      this.#engine.identify({ ...identity, models: list.models, modelsProblem });
    }
    return fetched;
  }

  /** The page did not come: whether the engine still takes requests its health tells. */
  async #missed(failure: ScrapeFailure, status: number | undefined, signal: AbortSignal): Promise<void> {
    const engine = this.#engine;
    this.#pageStatus = status;
    const profile = engine.identity?.profile;
    const reason = failure.reason + pageHint(profile, status);
    if (failure.unreachable && !pageIsElsewhere(engine.settings, profile)) {
      engine.reportMiss(failure.cause, reason);
      return;
    }
    if (!this.#health.mayAsk()) return engine.reportNoPage(failure.cause, reason);
    const alive = await lookAtHealth(this.#ask(signal), profile);
    if (alive.state === 'loading') engine.reportLoading(alive.reason);
    else if (alive.state === 'failed')
      engine.reportMiss(failure.cause, `${failure.reason}; ${alive.failure.reason}`);
    else {
      engine.reportPageMiss(failure.cause, reason);
      if (this.#now() - this.#lookedAt >= LOOK_AGAIN_MS) this.#lookAt = this.#now();
    }
  }

  async #readHealth(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    const engine = this.#engine;
    const alive = await lookAtHealth(this.#ask(signal), engine.identity?.profile);
    if (alive.state === 'loading') engine.reportLoading(alive.reason);
    else if (alive.state === 'failed') engine.reportMiss(alive.failure.cause, alive.failure.reason);
    else {
      const { restarted } = engine.reportAlive(now);
      if (restarted) await this.#look(signal);
      else if (now - this.#loadedAt >= LOADED_EVERY_MS) await this.#readLoaded(signal);
    }
  }

  async #readModels(signal: AbortSignal): Promise<void> {
    const { identity } = this.#engine;
    if (identity === undefined) return;
    this.#modelsAt = this.#now();
    this.#loadedAt = this.#modelsAt;
    const { models, problem } = await readModels(this.#ask(signal), identity.profile);
    // A look may have found another engine meanwhile.
    if (this.#engine.identity === identity) {
      this.#engine.identify({ ...identity, models: models ?? identity.models, modelsProblem: problem });
    }
  }

  async #readLoaded(signal: AbortSignal): Promise<void> {
    const { identity } = this.#engine;
    if (identity === undefined) return;
    this.#loadedAt = this.#now();
    const models = await readLoaded(this.#ask(signal), identity.profile, identity.models);
    if (this.#engine.identity === identity) this.#engine.identify({ ...identity, models });
  }

  #readerOf(): PageReader | undefined {
    const profile = this.#engine.identity?.profile;
    if (profile !== undefined && this.#reader?.profile !== profile) this.#reader = pageReader(profile);
    return this.#reader;
  }

  #ask(signal: AbortSignal): ReturnType<typeof askEngine> {
    return askEngine(this.#deps.http, this.#engine.settings, this.#limits, signal);
  }

  #now(): number {
    return this.#deps.clock.now();
  }
}
