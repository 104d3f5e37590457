import type { CatalogFamily } from '../catalog/family.ts';
import type { Labels } from '../exposition/exposition.ts';
import { modelOf, type PageIndex, rankOf } from './page-index.ts';
import type { LabelSource, Source } from './profile.ts';

/** A page series' labels as the contract has them: rank, the family's own labels, a second model's name. */
export function contractLabels(
  index: PageIndex,
  family: CatalogFamily,
  source: Source,
  labels: Labels,
): Labels {
  const { profile } = index;
  const result: Record<string, string> = { engine: rankOf(profile, labels) };
  for (const name of ownLabels(index, family, source, labels)) {
    const value = labelValue(source.labels?.[name], name, labels);
    if (value !== undefined) result[name] = value;
  }
  const model = modelOf(profile, labels);
  if (model !== undefined && model !== index.modelName) result['model_name'] = model;
  return { ...result, ...source.constant };
}

/** An info family's labels are its content: all of them, unless the source names the ones it means. */
function ownLabels(
  { profile }: PageIndex,
  family: CatalogFamily,
  source: Source,
  labels: Labels,
): readonly string[] {
  if (family.ranks !== 'info') {
    return family.labels.filter((name) => source.without?.includes(name) !== true);
  }
  if (source.labels !== undefined) return Object.keys(source.labels);
  return Object.keys(labels).filter(
    (name) => name !== 'engine' && name !== profile.rankLabel && !profile.modelLabels.includes(name),
  );
}

function labelValue(label: LabelSource | undefined, name: string, labels: Labels): string | undefined {
  const from = typeof label?.from === 'string' ? [label.from] : (label?.from ?? [name]);
  const value = from.map((pageName) => labels[pageName]).find((found) => found !== undefined);
  if (value === undefined || label?.values === undefined) return value;
  return label.values[value] ?? label.otherwise ?? value;
}
