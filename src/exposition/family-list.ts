import type { Family, MetricType } from './exposition.ts';

interface Draft {
  type: MetricType;
  help?: string;
  unit?: string;
}

/** Families as metadata lines tell of them. A later line overrides an earlier one of its kind, as in Prometheus. */
export class FamilyList {
  readonly #drafts = new Map<string, Draft>();

  setType(name: string, type: MetricType): void {
    this.#draft(name).type = type;
  }

  setHelp(name: string, help: string): void {
    this.#draft(name).help = help;
  }

  setUnit(name: string, unit: string): void {
    this.#draft(name).unit = unit;
  }

  /** In order of first mention. */
  all(): Family[] {
    return Array.from(this.#drafts, ([name, draft]) => ({ name, ...draft }));
  }

  #draft(name: string): Draft {
    const known = this.#drafts.get(name);
    if (known !== undefined) return known;
    const draft: Draft = { type: 'unknown' };
    this.#drafts.set(name, draft);
    return draft;
  }
}
