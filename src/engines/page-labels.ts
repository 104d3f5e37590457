import type { CatalogFamily } from '../catalog/family.ts';
import type { Labels } from '../exposition/exposition.ts';
import type { LabelSet, LabelSource, PageForm, Source } from './profile.ts';
import type { Reading } from './reading.ts';

/** The page a writer is at: whose form, and what holds for all of it. */
export interface PageContext {
  readonly form: PageForm;
  readonly reading: Pick<Reading, 'ranks' | 'modelName'>;
}

/** The labels one source's series have on a written page. */
export interface PageLabels {
  /** Those of the series that carries the value. */
  readonly labels: Labels;
  /** Those of series that a real page shows at 0 beside it: the other half of a split, reasons that never occurred. */
  readonly zeros: readonly Labels[];
  /** Those of series that repeat the value. */
  readonly copies: readonly Labels[];
}

/** A contract series' labels as the kind's own page has them: `contractLabels` run backwards. */
export function pageLabels(
  context: PageContext,
  family: CatalogFamily,
  source: Source,
  series: Labels,
): PageLabels {
  const set = labelSetOf(context.form, source);
  const labels: Record<string, string> = {
    ...common(context, set, series),
    ...chosen(source.where),
    ...ownLabels(family, source, series),
  };
  return {
    labels,
    zeros: [...otherHalves(set, labels), ...otherValues(source, labels)],
    copies: (source.copies ?? []).map((copy) => ({ ...labels, ...copy })),
  };
}

export function labelSetOf(
  { labelSets }: PageForm,
  { labelSet = 'default' }: Pick<Source, 'labelSet'>,
): LabelSet {
  return labelSets[labelSet] ?? labelSets.default;
}

function common({ reading }: PageContext, set: LabelSet, series: Labels): Record<string, string> {
  const labels: Record<string, string> = {};
  if (set.model !== undefined) labels[set.model] = series['model_name'] ?? reading.modelName ?? '';
  if (set.rank !== undefined && (set.rankOfOne === true || reading.ranks.length > 1)) {
    labels[set.rank] = series['engine'] ?? '';
  }
  return { ...labels, ...chosen(set.fixed) };
}

/** Of several values the first. */
function chosen(values: Readonly<Record<string, string | readonly string[]>> = {}): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    first[name] = (typeof value === 'string' ? value : value[0]) ?? '';
  }
  return first;
}

function ownLabels(family: CatalogFamily, source: Source, series: Labels): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [name, value] of Object.entries(series)) {
    if (name === 'engine' || name === 'model_name' || source.constant?.[name] !== undefined) continue;
    const isOwn = family.ranks === 'info' || family.labels.includes(name);
    if (!isOwn || source.without?.includes(name) === true) continue;
    const label = source.labels?.[name];
    labels[pageName(label, name)] = pageValue(label, value);
  }
  return labels;
}

function pageName(label: LabelSource | undefined, name: string): string {
  return (typeof label?.from === 'string' ? label.from : label?.from[0]) ?? name;
}

/** Several page values may mean one of the family's: the first stands for it. */
function pageValue(label: LabelSource | undefined, value: string): string {
  const meaning = Object.entries(label?.values ?? {}).find(([, familyValue]) => familyValue === value);
  return meaning?.[0] ?? value;
}

function otherHalves({ fixed = {} }: LabelSet, labels: Labels): readonly Labels[] {
  return Object.entries(fixed).flatMap(([name, values]) =>
    typeof values === 'string' ? [] : values.slice(1).map((value) => ({ ...labels, [name]: value })),
  );
}

function otherValues(source: Source, labels: Labels): readonly Labels[] {
  return Object.entries(source.labels ?? {}).flatMap(([name, label]) =>
    Object.keys(label.values ?? {}).map((value) => ({ ...labels, [pageName(label, name)]: value })),
  );
}
