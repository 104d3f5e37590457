import type { RankRule } from '../catalog/family.ts';
import type { Labels, MetricType, Sample } from '../exposition/exposition.ts';
import { formatBound } from '../exposition/format-number.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { emptyHistogram } from './histogram.ts';
import { labelKey } from './label-key.ts';
import { mergeValues } from './merge.ts';
import type { Histogram } from './reading.ts';

export interface PageFamily {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
}

interface Cell {
  readonly labels: Labels;
  readonly owner: string;
  value: number | Histogram;
}

/** A page while it is written. Several families of the contract may stand for one series of it: the first has it. */
export class PageBuilder {
  readonly #families = new Map<string, { family: PageFamily; cells: Map<string, Cell> }>();

  /** Adds a value for `owner`: to what the same owner put there, by `rule`; not at all where another was first. */
  put(family: PageFamily, owner: string, rule: RankRule, labels: Labels, value: number | Histogram): void {
    const cells = this.#cellsOf(family);
    const key = labelKey(labels);
    const before = cells.get(key);
    if (before === undefined) cells.set(key, { labels, owner, value });
    else if (before.owner === owner) before.value = mergeValues(rule, before.value, value);
  }

  /** A series at 0 of the same shape as `like`, unless there is one already. */
  putZero(family: PageFamily, labels: Labels, like: number | Histogram): void {
    const cells = this.#cellsOf(family);
    const key = labelKey(labels);
    if (cells.has(key)) return;
    const value =
      typeof like === 'number' ? 0 : emptyHistogram(like.buckets.slice(0, -1).map(({ le }) => le));
    cells.set(key, { labels, owner: '', value });
  }

  number(name: string, labels: Labels): number | undefined {
    const value = this.#families.get(name)?.cells.get(labelKey(labels))?.value;
    return typeof value === 'number' ? value : undefined;
  }

  families(): readonly WrittenFamily[] {
    return [...this.#families.values()].map(({ family, cells }) => ({
      ...family,
      samples: [...cells.values()].flatMap(({ labels, value }) =>
        samplesOf(family.name, sorted(labels), value),
      ),
    }));
  }

  #cellsOf(family: PageFamily): Map<string, Cell> {
    const found = this.#families.get(family.name) ?? { family, cells: new Map<string, Cell>() };
    this.#families.set(family.name, found);
    return found.cells;
  }
}

/** The Python client's order, which most engines have. */
function samplesOf(name: string, labels: Labels, value: number | Histogram): readonly Sample[] {
  if (typeof value === 'number') return [{ name, labels, value }];
  return [
    ...value.buckets.map(({ le, count }) => ({
      name: `${name}_bucket`,
      labels: sorted({ ...labels, le: formatBound(le) }),
      value: count,
    })),
    { name: `${name}_count`, labels, value: value.count },
    ...(value.sum === undefined ? [] : [{ name: `${name}_sum`, labels, value: value.sum }]),
  ];
}

function sorted(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}
