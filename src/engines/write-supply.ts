import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import { scaleHistogram } from './histogram.ts';
import type { PageBuilder, PageFamily } from './page-builder.ts';
import { type PageContext, pageLabels } from './page-labels.ts';
import type { Source, Supply } from './profile.ts';
import type { Histogram, Series } from './reading.ts';

/** One family's way onto the page. */
export interface FamilyWriting {
  readonly page: PageBuilder;
  readonly context: PageContext;
  readonly family: CatalogFamily;
  readonly series: readonly Series[];
}

/** What stands on the page as it is: one source, an info's parts, a figure that is always 0. */
export function writeDirect(writing: FamilyWriting, supply: Supply): void {
  if ('names' in supply) writeSource(writing, supply);
  else if ('firstOf' in supply) {
    const [first] = supply.firstOf;
    if (first !== undefined) writeDirect(writing, first);
  } else if ('info' in supply) writeInfo(writing, supply.info);
  else if ('missing' in supply && supply.shows !== undefined) {
    const nothing = writing.context.reading.ranks.map((engine) => ({ labels: { engine }, value: 0 }));
    writeSource({ ...writing, series: nothing }, supply.shows);
  }
}

/** The same figure in the other places that the kind's page has it. */
export function writeAlso(writing: FamilyWriting): void {
  for (const source of writing.context.form.also?.[writing.family.name] ?? []) writeSource(writing, source);
}

/** The first part takes what the other parts on the page leave of the sum. */
export function writeSum(writing: FamilyWriting, supply: Supply): void {
  if (!('sum' in supply)) return;
  const [first, ...others] = supply.sum.filter(({ optional }) => optional !== true);
  if (first === undefined) return;
  for (const one of writing.series) {
    let left = Number(one.value);
    for (const other of others) {
      writeSource({ ...writing, series: [{ ...one, value: 0 }] }, other);
      left -= (written(writing, other, one) ?? 0) * (other.scale ?? 1);
    }
    writeSource({ ...writing, series: [{ ...one, value: Math.max(0, left) }] }, first);
  }
}

/** The share of the whole that stands on the page already: a share of nothing is nothing. */
export function writeRatio(writing: FamilyWriting, supply: Supply): void {
  if (!('ratio' in supply)) return;
  const [part, whole] = supply.ratio;
  const series = writing.series.map((one) => {
    const value = Math.round(Number(one.value) * (written(writing, whole, one) ?? 0));
    return { ...one, value };
  });
  writeSource({ ...writing, series }, part);
}

/** Each source takes the series that it stands for; one without constants takes those no other does. */
export function writeEach(writing: FamilyWriting, supply: Supply): void {
  if (!('each' in supply)) return;
  for (const source of supply.each) {
    const others = supply.each.filter((other) => other !== source && other.constant !== undefined);
    const mine = writing.series.filter((one) =>
      source.constant === undefined ? !others.some((other) => standsFor(other, one)) : standsFor(source, one),
    );
    writeSource({ ...writing, series: mine }, source);
  }
}

function standsFor({ constant = {} }: Source, { labels }: Series): boolean {
  return Object.entries(constant).every(([name, value]) => labels[name] === value);
}

function writeInfo(writing: FamilyWriting, info: Readonly<Record<string, Source>>): void {
  for (const [label, source] of Object.entries(info)) {
    const series = writing.series.flatMap(({ labels }) => {
      const value = Number(labels[label]);
      const { engine = '', model_name } = labels;
      const rank = model_name === undefined ? { engine } : { engine, model_name };
      return labels[label] === undefined || Number.isNaN(value) ? [] : [{ labels: rank, value }];
    });
    writeSource({ ...writing, family: { ...writing.family, ranks: 'max' }, series }, source);
  }
}

function writeSource({ page, context, family, series }: FamilyWriting, source: Source): void {
  const target = pageFamily(family, source);
  if (target === undefined) return;
  const placed = series.map(({ labels, value }) => ({
    at: pageLabels(context, family, source, labels),
    value: onPage(value, source.scale),
  }));
  for (const { at, value } of placed) {
    for (const labels of [at.labels, ...at.copies]) {
      page.put(target, family.name, family.ranks, labels, value);
    }
  }
  for (const { at, value } of placed) {
    for (const labels of at.zeros) page.putZero(target, labels, value);
  }
}

/** What of a part stands on the page already, whoever put it there. */
function written(
  { page, context, family }: FamilyWriting,
  source: Source,
  { labels }: Series,
): number | undefined {
  const name = source.names[0];
  return name === undefined
    ? undefined
    : page.number(name, pageLabels(context, family, source, labels).labels);
}

/** The kind's own words for the family where the catalogue has them. A part of a histogram is nothing to write. */
function pageFamily(family: CatalogFamily, source: Source): PageFamily | undefined {
  const name = source.names[0];
  if (name === undefined || source.part !== undefined) return undefined;
  const kindFamily = familyOf(name);
  return {
    name,
    type: source.declared ?? kindFamily?.type ?? family.type,
    help: (kindFamily ?? family).help,
  };
}

function onPage(value: number | Histogram, scale: number | undefined): number | Histogram {
  if (scale === undefined) return value;
  // Nothing taken away is 0, not -0.
  return typeof value === 'number' ? value / scale + 0 : scaleHistogram(value, 1 / scale);
}
