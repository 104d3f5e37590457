import type { ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Signals } from '../engines/signals.ts';
import type { Clock } from '../kit/clock.ts';
import { type Contact, MISSES_UNTIL_DOWN, missed, noContact, reached, stillLoading } from './contact.ts';
import type { ContractState, EngineView } from './engine-view.ts';
import { freshProgress, observeProgress, type Progress, probeAllowed } from './progress.ts';
import { restarted } from './restart.ts';
import type { KeptPage, ScrapeCounts, ScrapeReport } from './scrape-report.ts';

/** What the operator said of an engine. */
export interface EngineSettings {
  readonly name: string;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Fixed by the operator; absent: told from the engine's answers. */
  readonly kind: string | undefined;
  readonly runtime: string | undefined;
  /** The gateway's own key to this engine. */
  readonly key: string | undefined;
  /** A path below `url`, or a full URL where metrics have an address of their own. */
  readonly metrics: string | undefined;
}

/** Who the engine is, as last looked at. */
export interface Identity {
  readonly profile: EngineProfile;
  readonly certainty: 'configured' | 'known' | 'guess' | 'none';
  /** How the kind is known, for a person. */
  readonly reason: string;
  readonly version: string | undefined;
  readonly models: readonly ServedModel[];
}

interface Report extends ScrapeReport {
  /** Our totals as they stood for that report. */
  readonly sentBefore: number;
  readonly finishedBefore: number;
}

/** One engine and everything known of it now. Changed only through these methods. */
export class Engine {
  readonly settings: EngineSettings;
  readonly #clock: Clock;
  #identity: Identity | undefined;
  #runtime: string | undefined;
  #contact: Contact = noContact;
  #contactAt: number | undefined;
  #scrapedAt: number | undefined;
  #report: Report | undefined;
  #pageMissesInARow = 0;
  /** Why there was no page the last time; absent after one came. */
  #pageReason: string | undefined;
  /** Outlives the report: a restart takes longer than three scrapes, and its counters must still be told apart. */
  #lastSignals: Signals | undefined;
  #progress: Progress;
  #sent = 0;
  #finished = 0;
  #sentAtScrapeStart = 0;
  #scrapes = 0;
  #restarts = 0;
  #failures = new Map<string, number>();
  #lastDurationMs: number | undefined;

  constructor(settings: EngineSettings, clock: Clock) {
    this.settings = settings;
    this.#clock = clock;
    this.#runtime = settings.runtime;
    this.#progress = freshProgress(clock.now());
  }

  get name(): string {
    return this.settings.name;
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  get contact(): Contact {
    return this.#contact;
  }

  /** Milliseconds since its last good page, or its last sign of life where the kind has none; kept when it is lost. */
  get scrapeAgeMs(): number | undefined {
    return this.#scrapedAt === undefined ? undefined : this.#clock.now() - this.#scrapedAt;
  }

  /** Milliseconds since the engine last answered anything; absent before it first did. */
  get contactAgeMs(): number | undefined {
    return this.#contactAt === undefined ? undefined : this.#clock.now() - this.#contactAt;
  }

  /** The last page: after three misses, and while it loads, nothing of it is shown. */
  get page(): KeptPage | undefined {
    return this.#report?.page;
  }

  /** Why the last scrape brought no page, for a person; absent when it did. */
  get pageReason(): string | undefined {
    return this.#pageReason ?? this.#contact.reason;
  }

  get missing(): readonly string[] {
    return this.#report?.missing ?? [];
  }

  get problem(): string | undefined {
    return this.#report?.problem;
  }

  get inFlight(): number {
    return this.#sent - this.#finished;
  }

  get counts(): ScrapeCounts {
    return {
      scrapes: this.#scrapes,
      restarts: this.#restarts,
      failures: this.#failures,
      lastDurationMs: this.#lastDurationMs,
    };
  }

  /** Sticky: a dashboard made for a runtime must not lose it because a model list changed. */
  get runtime(): string {
    return this.#runtime ?? this.name;
  }

  identify(identity: Identity): void {
    this.#identity = identity;
    this.#runtime ??= runtimeOf(identity, this.name);
  }

  /** Call when the scrape's request leaves: what is sent from here on may be missing from its page. */
  scrapeStarts(): void {
    this.#sentAtScrapeStart = this.#sent;
  }

  /** @returns whether the engine began anew since the last report: its identity must be looked at again. */
  reportScrape(report: ScrapeReport): { readonly restarted: boolean } {
    const now = this.#clock.now();
    const anew = restarted(this.#lastSignals, report.signals);
    const wasLost = this.#wasLost;
    this.#scrapes += 1;
    if (anew) this.#restarts += 1;
    this.#lastDurationMs = now - report.startedAt;
    this.#contact = reached();
    this.#contactAt = now;
    this.#scrapedAt = report.page.at;
    this.#pageMissesInARow = 0;
    this.#pageReason = undefined;
    if (report.contract === 'malformed') this.#countFailure('malformed');
    this.#lastSignals = report.signals;
    // Counting sends from the start and ends up to now errs towards more load, for one interval at most.
    this.#report = { ...report, sentBefore: this.#sentAtScrapeStart, finishedBefore: this.#finished };
    this.#progress = anew
      ? { ...freshProgress(now), last: report.signals }
      : observeProgress(this.#progress, report.signals, this.inFlight, now);
    return { restarted: anew || wasLost };
  }

  /** An engine without metrics answered its health look. @returns as `reportScrape`. */
  reportAlive(startedAt: number): { readonly restarted: boolean } {
    const now = this.#clock.now();
    const wasLost = this.#wasLost;
    this.#scrapes += 1;
    this.#lastDurationMs = now - startedAt;
    this.#contact = reached();
    this.#contactAt = now;
    this.#scrapedAt = now;
    return { restarted: wasLost };
  }

  /** It answers, and serves nothing yet: a process that began anew, so what the one before it said is void. */
  reportLoading(reason: string): void {
    this.#scrapes += 1;
    this.#contact = stillLoading(reason);
    this.#contactAt = this.#clock.now();
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
    this.#scrapes += 1;
    this.#countFailure(cause);
    this.#missPage(reason);
    this.#miss(reason);
  }

  /**
   * A failed scrape of an engine that is alive, as another look told: metrics switched off, a page behind a key,
   * a batch that keeps the page waiting. Its page goes as any other would; it still takes requests.
   */
  reportPageMiss(cause: string, reason: string): void {
    this.#scrapes += 1;
    this.#countFailure(cause);
    this.#missPage(reason);
    this.#contact = reached();
    this.#contactAt = this.#clock.now();
  }

  /** A request of ours could not even connect. */
  reportUnreachable(reason: string): void {
    this.#miss(reason);
  }

  get #wasLost(): boolean {
    return this.#contact.missesInARow > 0 || this.#pageMissesInARow > 0 || this.#contact.health === 'loading';
  }

  #countFailure(cause: string): void {
    this.#failures.set(cause, (this.#failures.get(cause) ?? 0) + 1);
  }

  #missPage(reason: string): void {
    this.#pageMissesInARow += 1;
    this.#pageReason = reason;
    if (this.#pageMissesInARow >= MISSES_UNTIL_DOWN) this.#report = undefined;
  }

  #miss(reason: string): void {
    this.#contact = missed(this.#contact, reason);
    if (this.#contact.health === 'down') this.#report = undefined;
  }

  /** Counts a request of ours as there until the returned function is called; calling it twice is harmless. */
  begin(): () => void {
    const now = this.#clock.now();
    if (probeAllowed(this.#progress, this.inFlight, now))
      this.#progress = { ...this.#progress, probedAt: now };
    this.#sent += 1;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#finished += 1;
    };
  }

  view(): EngineView {
    const now = this.#clock.now();
    const report = this.#report;
    return {
      name: this.name,
      kind: this.#identity?.profile.kind ?? this.settings.kind ?? 'unknown',
      runtime: this.runtime,
      health: this.#contact.health,
      contract: this.#contractState(),
      models: this.#identity?.models ?? [],
      signals: report?.signals,
      signalsAgeMs: report === undefined ? undefined : now - report.page.at,
      inFlight: this.inFlight,
      sentSinceReport: report === undefined ? 0 : this.#sent - report.sentBefore,
      finishedSinceReport: report === undefined ? 0 : this.#finished - report.finishedBefore,
      probeAllowed: probeAllowed(this.#progress, this.inFlight, now),
    };
  }

  #contractState(): ContractState {
    if (this.#identity !== undefined && this.#identity.profile.metrics === undefined) {
      return this.#contact.health === 'up' ? 'none' : 'unseen';
    }
    if (this.#report === undefined) return 'unseen';
    return this.#progress.stuck ? 'stuck' : this.#report.contract;
  }
}

/** An engine that swaps models is one runtime of its own name: its first model says nothing of the others. */
function runtimeOf({ profile, models }: Identity, name: string): string | undefined {
  const first = models[0];
  if (first === undefined) return undefined;
  const swaps = models.length > 1 && models.some(({ loaded }) => loaded !== undefined);
  return swaps ? name : `${profile.kind}-${first.id}`;
}
