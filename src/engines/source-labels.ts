import type { CatalogFamily } from '../catalog/family.ts';
import type { Labels } from '../exposition/exposition.ts';
import { isWhose, modelOf, type PageIndex, rankOf } from './page-index.ts';
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
  return source.constant === undefined ? result : { ...result, ...source.constant };
}

/** An info family's labels are its content: all of them, unless the source names the ones it means. */
function ownLabels(
  { profile }: PageIndex,
  family: CatalogFamily,
  { labels: named, without }: Source,
  labels: Labels,
): readonly string[] {
  if (family.ranks !== 'info') {
    return without === undefined ? family.labels : family.labels.filter((name) => !without.includes(name));
  }
  if (named !== undefined) return Object.keys(named);
  return Object.keys(labels).filter((name) => !isWhose(profile, name) && without?.includes(name) !== true);
}

function labelValue(label: LabelSource | undefined, name: string, labels: Labels): string | undefined {
  if (label === undefined) return labels[name];
  const from = typeof label.from === 'string' ? [label.from] : label.from;
  const value = from.map((pageName) => labels[pageName]).find((found) => found !== undefined);
  if (value === undefined || label.values === undefined) return value;
  return label.values[value] ?? label.otherwise ?? value;
}
