import type { Clock } from '../kit/clock.ts';
import {
  badSince,
  type Contact,
  healthy,
  missed,
  noContact,
  reached,
  refused,
  stillLoading,
} from './contact.ts';
import type { FleetSettings } from './fleet-settings.ts';
import { shareOf } from './slow-start.ts';

export interface LifeDeps {
  readonly clock: Clock;
  /** It came to a fleet that was there already: its first contact is the start of its life. */
  readonly isNew: boolean;
  /** It was away, loaded, or began anew, and is back. */
  readonly onBack: () => void;
  /** It is down, and has given no good sign since then. */
  readonly onLost: (since: number, reason: string) => void;
}

/** Whether one engine is there, and since when. */
export class EngineLife {
  readonly #deps: LifeDeps;
  readonly #settings: Pick<FleetSettings, 'misses' | 'slowStartMs'>;
  #contact: Contact = noContact;
  #contactAt: number | undefined;
  #startedAt: number | undefined;

  constructor(deps: LifeDeps, settings: Pick<FleetSettings, 'misses' | 'slowStartMs'>) {
    this.#deps = deps;
    this.#settings = settings;
  }

  get contact(): Contact {
    return this.#contact;
  }

  /** Milliseconds since it last answered anything; absent before it first did. */
  get contactAgeMs(): number | undefined {
    return this.#contactAt === undefined ? undefined : this.#now - this.#contactAt;
  }

  /** See `EngineView.share`. */
  get share(): number {
    return shareOf(this.#startedAt, this.#now, this.#settings.slowStartMs);
  }

  reached(): void {
    this.#meet(reached(this.#contact));
  }

  healthy(): void {
    this.#meet(healthy());
  }

  loading(reason: string): void {
    this.#meet(stillLoading(reason));
  }

  missed(reason: string): void {
    this.#fail(missed, reason);
  }

  refused(reason: string): void {
    this.#fail(refused, reason);
  }

  /** It begins anew, or may be used again: its share grows from here. */
  startSlowly(): void {
    this.#startedAt = this.#now;
  }

  #meet(contact: Contact): void {
    const before = this.#contact.health;
    this.#contact = contact;
    this.#contactAt = this.#now;
    if (contact.health !== 'up' || before === 'up') return;
    if (before !== 'unknown' || this.#deps.isNew) this.#deps.onBack();
  }

  #fail(how: typeof missed, reason: string): void {
    const limit = this.#settings.misses;
    this.#contact = how(this.#contact, { reason, at: this.#now, limit });
    const since = badSince(this.#contact, limit);
    if (since !== undefined) this.#deps.onLost(since, reason);
  }

  get #now(): number {
    return this.#deps.clock.now();
  }
}
