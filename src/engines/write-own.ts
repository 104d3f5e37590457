import type { CatalogFamily } from '../catalog/family.ts';
import { ownLabelSets } from './empty-reading.ts';
import { emptyHistogram } from './histogram.ts';
import type { PageBuilder, PageFamily } from './page-builder.ts';
import { labelSetOf, type PageContext, pageLabels } from './page-labels.ts';
import type { Source } from './profile.ts';
import type { Series } from './reading.ts';

/**
 * Values of a kind's own families by name. A plain number is the one series of the first rank; series have `engine`
 * and the family's own labels.
 */
export type OwnValues = Readonly<Record<string, number | readonly Series[]>>;

/** The values given, where no family of the contract has taken the place. */
export function writeOwn(
  page: PageBuilder,
  context: PageContext,
  families: readonly CatalogFamily[],
  values: OwnValues,
): void {
  for (const family of families) {
    const given = values[family.name];
    if (given !== undefined)
      write(page, context, family, typeof given === 'number' ? one(context, given) : given);
  }
}

/** The rest of what the kind always shows, at 0. */
export function writeOwnAtRest(
  page: PageBuilder,
  context: PageContext,
  families: readonly CatalogFamily[],
): void {
  for (const family of families) {
    if (family.flag !== undefined || family.when !== undefined) continue;
    const source = sourceOf(context, family);
    const perRank = labelSetOf(context.form, source).rank !== undefined;
    const ranks = perRank ? context.reading.ranks : context.reading.ranks.slice(0, 1);
    for (const engine of ranks) {
      for (const own of ownLabelSets(family)) {
        const { labels, zeros } = pageLabels(context, family, source, { engine, ...own });
        const value = family.type === 'histogram' ? emptyHistogram(family.bounds ?? []) : 0;
        for (const each of [labels, ...zeros]) page.putZero(pageFamily(source, family), each, value);
      }
    }
  }
}

function write(
  page: PageBuilder,
  context: PageContext,
  family: CatalogFamily,
  series: readonly Series[],
): void {
  const source = sourceOf(context, family);
  for (const { labels, value } of series) {
    const at = pageLabels(context, family, source, labels);
    for (const each of [at.labels, ...at.copies]) {
      page.put(pageFamily(source, family), family.name, family.ranks, each, value);
    }
    for (const each of at.zeros) page.putZero(pageFamily(source, family), each, value);
  }
}

function one({ reading }: PageContext, value: number): readonly Series[] {
  return [{ labels: { engine: reading.ranks[0] ?? '' }, value }];
}

function sourceOf({ form }: PageContext, { name }: CatalogFamily): Source {
  return { names: [name], ...form.own?.[name] };
}

function pageFamily(source: Source, { name, type, help }: CatalogFamily): PageFamily {
  return { name, type: source.declared ?? type, help };
}
