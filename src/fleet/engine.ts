import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';
import { type Contact, MISSES_UNTIL_DOWN } from './contact.ts';
import { EngineLife } from './engine-life.ts';
import type { EngineSettings } from './engine-settings.ts';
import { EngineTraffic } from './engine-traffic.ts';
import type { ContractState, EngineView } from './engine-view.ts';
import type { FleetSettings } from './fleet-settings.ts';
import { apisOf, type Identity, listStateOf, type Runtime, runtimeAfter } from './identity.ts';
import type { FaultCause, Lease } from './lease.ts';
import { freshProgress, observeProgress, type Progress, probeAllowed } from './progress.ts';
import { Processes } from './restart.ts';
import type { KeptPage, ScrapeCounts, ScrapeReport } from './scrape-report.ts';
import { ScrapeTally } from './scrape-tally.ts';

export type { EngineSettings } from './engine-settings.ts';
export type { Identity } from './identity.ts';

interface Report extends ScrapeReport {
  /** Our totals as they stood for that report. */
  readonly sentBefore: number;
  readonly finishedBefore: number;
}

export interface EngineDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** It came to a fleet that was there already: its first contact is the start of its life. */
  readonly isNew: boolean;
}

/** One engine and everything known of it now. Changed only through these methods. */
export class Engine {
  readonly settings: EngineSettings;
  readonly #clock: Clock;
  readonly #life: EngineLife;
  readonly #traffic: EngineTraffic;
  #identity: Identity | undefined;
  #runtime: Runtime | undefined;
  #scrapedAt: number | undefined;
  /** Whether somebody may hold the page of this report. */
  #pageIsRead = false;
  #spare: Uint8Array | undefined;
  #report: Report | undefined;
  #pageMissesInARow = 0;
  /** Why there was no page the last time; absent after one came. */
  #pageReason: string | undefined;
  readonly #processes = new Processes();
  #progress: Progress;
  #sentAtScrapeStart = 0;
  readonly #tally = new ScrapeTally();

  constructor(settings: EngineSettings, { clock, random, isNew }: EngineDeps, limits: FleetSettings) {
    this.settings = settings;
    this.#clock = clock;
    this.#traffic = new EngineTraffic(
      { clock, random, onClosed: () => this.#life.startSlowly() },
      limits.breaker,
    );
    this.#life = new EngineLife(
      {
        clock,
        isNew,
        onBack: () => this.#cameBack(),
        onLost: (since, reason) => this.#traffic.lose(since, reason),
      },
      limits,
    );
    this.#progress = freshProgress(clock.now());
  }

  get name(): string {
    return this.settings.name;
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  get contact(): Contact {
    return this.#life.contact;
  }

  /** Milliseconds since its last good page, or its last sign of life where the kind has none; kept when it is lost. */
  get scrapeAgeMs(): number | undefined {
    return this.#scrapedAt === undefined ? undefined : this.#clock.now() - this.#scrapedAt;
  }

  /** Milliseconds since the engine last answered anything; absent before it first did. */
  get contactAgeMs(): number | undefined {
    return this.#life.contactAgeMs;
  }

  /**
   * The last page: after three misses, and while it loads, nothing of it is shown. Whoever reads it may keep it: only
   * pages that nobody read are written over.
   */
  get page(): KeptPage | undefined {
    this.#pageIsRead = true;
    return this.#report?.page;
  }

  /** Memory of a page that another has replaced and nobody read, for the next one. */
  takeSpare(): Uint8Array | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare;
  }

  /** Why the last scrape brought no page, for a person; absent when it did. */
  get pageReason(): string | undefined {
    return this.#pageReason ?? this.contact.reason;
  }

  get missing(): readonly string[] {
    return this.#report?.missing ?? [];
  }

  get problem(): string | undefined {
    return this.#report?.problem;
  }

  get inFlight(): number {
    return this.#traffic.inFlight;
  }

  /** Of our requests, by cause. */
  get faults(): ReadonlyMap<FaultCause, number> {
    return this.#traffic.faults;
  }

  get counts(): ScrapeCounts {
    return this.#tally.counts;
  }

  get runtime(): string {
    return this.settings.runtime ?? this.#runtime?.name ?? this.name;
  }

  identify(identity: Identity): void {
    this.#identity = identity;
    this.#runtime = runtimeAfter(this.#runtime, identity, this.name);
  }

  /** Call when the scrape's request leaves: what is sent from here on may be missing from its page. */
  scrapeStarts(): void {
    this.#sentAtScrapeStart = this.#traffic.sent;
  }

  /** @returns whether it may be another process than at the last report: its identity must be looked at again. */
  reportScrape(report: ScrapeReport): { readonly restarted: boolean } {
    const now = this.#clock.now();
    const succession = this.#processes.observe(report);
    const anew = succession === 'anew';
    const wasLost = this.#wasLost;
    this.#tally.good(now - report.startedAt);
    if (anew) this.#tally.restart();
    this.#life.reached();
    if (anew) this.#cameBack();
    this.#scrapedAt = report.page.at;
    this.#pageMissesInARow = 0;
    this.#pageReason = undefined;
    if (report.contract === 'malformed') this.#tally.failure('malformed');
    if (!this.#pageIsRead) this.#spare = this.#report?.page.bytes;
    this.#pageIsRead = false;
    // Counting sends from the start and ends up to now errs towards more load, for one interval at most.
    this.#report = { ...report, sentBefore: this.#sentAtScrapeStart, finishedBefore: this.#traffic.finished };
    this.#progress = anew
      ? { ...freshProgress(now), last: report.signals }
      : observeProgress(this.#progress, report.signals, this.inFlight, now);
    return { restarted: succession !== 'same' || wasLost };
  }

  /** An engine without metrics answered its health look. @returns as `reportScrape`. */
  reportAlive(startedAt: number): { readonly restarted: boolean } {
    const now = this.#clock.now();
    const wasLost = this.#wasLost;
    this.#tally.good(now - startedAt);
    this.#life.healthy();
    this.#scrapedAt = now;
    return { restarted: wasLost };
  }

  /** Its health path says that all is well. */
  reportHealthy(): void {
    this.#life.healthy();
  }

  /** Its health path says that it cannot serve, or does not answer, whatever its page does. */
  reportRefusal(reason: string): void {
    this.#life.refused(reason);
  }

  /** It answers, and serves nothing yet: a process that began anew, so what the one before it said is void. */
  reportLoading(reason: string): void {
    this.#tally.bad(undefined);
    this.#life.loading(reason);
    this.#report = undefined;
    this.#pageReason = reason;
  }

  /** Somebody read the kept page whole and it is not what it says. */
  reportMalformed(page: KeptPage, problem: string): void {
    if (this.#report?.page !== page) return;
    this.#report = { ...this.#report, contract: 'malformed', problem };
  }

  /** A failed scrape. `cause` is one of a closed list (it becomes a label), `reason` is for a person. */
  reportMiss(cause: string, reason: string): void {
    this.#tally.bad(cause);
    this.#missPage(reason);
    this.#miss(reason);
  }

  /**
   * A failed scrape of an engine that is alive, as another look told: metrics switched off, a page behind a key,
   * a batch that keeps the page waiting. Its page goes as any other would; it still takes requests.
   */
  reportPageMiss(cause: string, reason: string): void {
    this.reportNoPage(cause, reason);
    this.#life.healthy();
  }

  /** The same where nobody has looked whether it is alive. */
  reportNoPage(cause: string, reason: string): void {
    this.#tally.bad(cause);
    this.#missPage(reason);
  }

  /** A request of ours could not even connect. */
  reportUnreachable(reason: string): void {
    this.#miss(reason);
  }

  get #wasLost(): boolean {
    return this.contact.missesInARow > 0 || this.#pageMissesInARow > 0 || this.contact.health === 'loading';
  }

  #missPage(reason: string): void {
    this.#pageMissesInARow += 1;
    this.#pageReason = reason;
    if (this.#pageMissesInARow >= MISSES_UNTIL_DOWN) this.#report = undefined;
  }

  #miss(reason: string): void {
    this.#life.missed(reason);
    if (this.contact.health === 'down') this.#report = undefined;
  }

  #cameBack(): void {
    this.#traffic.returned();
    this.#life.startSlowly();
  }

  /** A request of ours goes there. @param onLost called when the engine is given up while the request waits */
  begin(onLost: (reason: string) => void = () => {}): Lease {
    const now = this.#clock.now();
    if (probeAllowed(this.#progress, this.inFlight, now))
      this.#progress = { ...this.#progress, probedAt: now };
    return this.#traffic.begin(onLost);
  }

  view(): EngineView {
    const now = this.#clock.now();
    const report = this.#report;
    return {
      name: this.name,
      kind: this.#identity?.profile.kind ?? this.settings.kind ?? 'unknown',
      runtime: this.runtime,
      health: this.contact.health,
      contract: this.#contractState(),
      models: this.#identity?.models ?? [],
      apis: apisOf(this.#identity),
      listState: listStateOf(this.#identity, this.contact.health),
      signals: report?.signals,
      signalsAgeMs: report === undefined ? undefined : now - report.page.at,
      inFlight: this.inFlight,
      sentSinceReport: report === undefined ? 0 : this.#traffic.sent - report.sentBefore,
      finishedSinceReport: report === undefined ? 0 : this.#traffic.finished - report.finishedBefore,
      probeAllowed: probeAllowed(this.#progress, this.inFlight, now),
      breaker: this.#traffic.breakerState,
      breakerAdmits: this.#traffic.breakerAdmits,
      share: this.#life.share,
    };
  }

  #contractState(): ContractState {
    if (this.#identity !== undefined && this.#identity.profile.metrics === undefined) {
      return this.contact.health === 'up' ? 'none' : 'unseen';
    }
    if (this.#report === undefined) return 'unseen';
    return this.#progress.stuck ? 'stuck' : this.#report.contract;
  }
}
