import { PageLimitError, type PageLimits } from '../exposition/page-limits.ts';
import type { Engine } from '../fleet/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { lookAtHealth } from './alive.ts';
import { askEngine } from './ask.ts';
import { type EngineState, logChanges, stateOf } from './changes.ts';
import { type EngineRequest, pageIsElsewhere, pageRequest, withFoundPage } from './engine-request.ts';
import { limitFailure, type ScrapeFailure } from './failure.ts';
import { type Fetched, type FetchLimits, fetchPage } from './fetch.ts';
import { fetchModelPages } from './fetch-model-pages.ts';
import { HealthWatch } from './health-watch.ts';
import { type Look, type LookDeps, lookAtEngine } from './look.ts';
import { ModelsWatch } from './models-watch.ts';
import { Pace } from './pace.ts';
import { pageHint } from './page-hint.ts';
import { PageReading } from './page-reading.ts';

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

/** What a scrape or health look said of the process: `Engine.reportScrape`. */
type Read = ReturnType<Engine['reportScrape']>;

const NOTHING_NEW: Read = { restarted: false };

/** Keeps one engine's entry in the fleet current, a round at a time. */
export class EngineWatch {
  readonly #deps: WatchDeps;
  readonly #engine: Engine;
  readonly #limits: WatchSettings;
  readonly #health: HealthWatch;
  readonly #models: ModelsWatch;
  readonly #pages: PageReading;
  /** Of looks that its pages ask for. */
  readonly #lookPace: Pace;
  /** As last logged: changes come by requests as well, between two rounds. */
  #logged: EngineState;
  /** When to look who it is, by the clock; absent: not needed. */
  #lookAt: number | undefined = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #lastLook: Look | undefined;
  #pageStatus: number | undefined;

  constructor(deps: WatchDeps, engine: Engine, settings: WatchSettings) {
    this.#deps = deps;
    this.#engine = engine;
    this.#limits = settings;
    this.#health = new HealthWatch(deps.clock, engine, settings.healthEveryMs);
    this.#models = new ModelsWatch(deps.clock, engine);
    this.#pages = new PageReading(deps.clock, engine, settings.page);
    this.#lookPace = new Pace(deps.clock);
    this.#logged = stateOf(engine);
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
    await this.#round(signal);
    this.#logChanges();
  }

  /** Reads identity and models again; calls that come close together share one look. */
  async lookNow(signal: AbortSignal): Promise<void> {
    if (this.#looking === undefined && this.#deps.clock.now() - this.#lookedAt < LOOK_NOW_GAP_MS) return;
    await this.#look(signal);
    this.#logChanges();
  }

  #logChanges(): void {
    const before = this.#logged;
    this.#logged = stateOf(this.#engine);
    logChanges(this.#deps.log, this.#engine, before, this.#logged);
  }

  async #round(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    if (this.#engine.identity === undefined || (this.#lookAt !== undefined && now >= this.#lookAt)) {
      await this.#look(signal);
    } else if (this.#models.isDue) {
      // Without a page nothing else would tell that another engine answers by now.
      if (this.#pageRequest === undefined) await this.#look(signal);
      else await this.#models.read(this.#ask(signal));
    }
    if (this.#pageRequest === undefined) return this.#readEngine(signal, true);
    if (this.#engine.identity?.profile.loadedPath !== undefined && this.#models.isLoadedDue) {
      await this.#models.readLoaded(this.#ask(signal));
    }
    await Promise.all([this.#health.check(this.#ask(signal)), this.#readEngine(signal, true)]);
  }

  get #pageRequest(): EngineRequest | undefined {
    const { settings, identity } = this.#engine;
    if (identity === undefined) return undefined;
    return pageRequest(withFoundPage(settings, identity), identity.profile);
  }

  /** @param first not once more in the same round: what was read made us look, and it is of another kind */
  async #readEngine(signal: AbortSignal, first: boolean): Promise<void> {
    const { identity } = this.#engine;
    if (identity === undefined) return;
    const request = this.#pageRequest;
    const { restarted } = await (request === undefined
      ? this.#readHealth(signal)
      : this.#scrape(request, signal));
    if (!restarted) return;
    this.#pages.needWhole();
    if (!this.#lookPace.isDue) {
      this.#lookAt = this.#lookPace.nextAt;
      return;
    }
    await this.#look(signal);
    const isOther = this.#engine.identity?.profile !== identity.profile;
    if (first && isOther) await this.#readEngine(signal, false);
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
    this.#models.wasAsked();
    if (look.state === 'seen') {
      this.#lookPace.done();
      const changed = look.identity.profile !== engine.identity?.profile;
      const models = look.listed || changed ? look.identity.models : (engine.identity?.models ?? []);
      engine.identify({ ...look.identity, models });
      this.#pages.needWhole();
      this.#health.wasWell();
      return;
    }
    // The scrape that follows tells how contact stands.
    if (engine.identity !== undefined) this.#lookAt = now + LOOK_RETRY_MS;
    if (look.state === 'loading') engine.reportLoading(look.reason);
    else if (engine.identity === undefined) engine.reportMiss(look.failure.cause, look.failure.reason);
  }

  async #scrape(request: EngineRequest, signal: AbortSignal): Promise<Read> {
    const { clock } = this.#deps;
    const engine = this.#engine;
    const startedAt = clock.now();
    engine.scrapeStarts();
    const fetched = await this.#fetch(request, signal);
    if (!('page' in fetched)) return this.#missed(fetched.failure, fetched.status, signal);
    const read = this.#pages.read(fetched.page);
    if (read === undefined) return NOTHING_NEW;
    if (read instanceof PageLimitError)
      return this.#missed(limitFailure(read, request.url), undefined, signal);
    const page = { ...fetched.page, at: clock.now() };
    return engine.reportScrape({ startedAt, page, ...read });
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
    if (list !== undefined) this.#models.wasRead(list, identity);
    return fetched;
  }

  /** The page did not come: whether the engine still takes requests its health tells. */
  async #missed(failure: ScrapeFailure, status: number | undefined, signal: AbortSignal): Promise<Read> {
    const engine = this.#engine;
    this.#pageStatus = status;
    const profile = engine.identity?.profile;
    const reason = failure.reason + pageHint(profile, status);
    if (failure.unreachable && !pageIsElsewhere(withFoundPage(engine.settings, engine.identity), profile)) {
      engine.reportMiss(failure.cause, reason);
      return NOTHING_NEW;
    }
    if (!this.#health.mayAsk()) {
      engine.reportNoPage(failure.cause, reason);
      return NOTHING_NEW;
    }
    const alive = await lookAtHealth(this.#ask(signal), profile);
    if (alive.state === 'loading') engine.reportLoading(alive.reason);
    else if (alive.state === 'failed')
      engine.reportMiss(failure.cause, `${failure.reason}; ${alive.failure.reason}`);
    else {
      // A page that came until now: what answers in its place may be another engine.
      const isNew = engine.scrapeAgeMs !== undefined && engine.pageReason === undefined;
      engine.reportPageMiss(failure.cause, reason);
      if (isNew && status !== undefined) this.#lookAt = this.#lookPace.nextAt;
      else if (this.#now() - this.#lookedAt >= LOOK_AGAIN_MS) this.#lookAt = this.#now();
    }
    return NOTHING_NEW;
  }

  async #readHealth(signal: AbortSignal): Promise<Read> {
    const now = this.#now();
    const engine = this.#engine;
    const alive = await lookAtHealth(this.#ask(signal), engine.identity?.profile);
    if (alive.state === 'loading') engine.reportLoading(alive.reason);
    else if (alive.state === 'failed') engine.reportMiss(alive.failure.cause, alive.failure.reason);
    else {
      const read = engine.reportAlive(now);
      if (!read.restarted && this.#models.isLoadedDue) await this.#models.readLoaded(this.#ask(signal));
      return read;
    }
    return NOTHING_NEW;
  }

  #ask(signal: AbortSignal): ReturnType<typeof askEngine> {
    return askEngine(this.#deps.http, this.#engine.settings, this.#limits, signal);
  }

  #now(): number {
    return this.#deps.clock.now();
  }
}
