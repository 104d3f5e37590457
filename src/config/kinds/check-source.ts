import type { CatalogFamily } from '../../catalog/family.ts';
import { type PageUnit, pageUnit, pageUnitNames, unitsFor } from '../../catalog/page-unit.ts';
import { nearest } from '../../kit/nearest.ts';
import type { ConfigPath, Problem } from '../problem.ts';
import type { FileSource } from './kinds-schema.ts';

/** What a source is read as: the family it stands for, or a part of a quotient or of an info family. */
export type SourceTarget = Pick<CatalogFamily, 'name' | 'type' | 'labels' | 'labelValues' | 'ranks'> & {
  /** Absent where any unit will do. */
  readonly unit: CatalogFamily['unit'] | undefined;
};

/** What of a source cannot be: unit, type or labels that its family does not have. */
export function checkSource(path: ConfigPath, source: FileSource, target: SourceTarget): readonly Problem[] {
  return [
    ...checkUnit(path, source, target),
    ...checkType(path, source, target),
    ...checkNames(path, source, target),
    ...checkLabels(path, source, target),
  ];
}

function checkUnit(path: ConfigPath, { unit, scale }: FileSource, target: SourceTarget): readonly Problem[] {
  if (unit === undefined) return [];
  const at = [...path, 'unit'];
  const found = pageUnit(unit);
  if (found === undefined) return [{ path: at, message: unknownUnit(unit, target) }];
  if (target.unit !== undefined && found.unit !== target.unit) {
    return [{ path: at, message: impossibleUnit(unit, target.name, target.unit) }];
  }
  return scale === undefined || scale === found.scale
    ? []
    : [{ path: [...path, 'scale'], message: twoScales(unit, scale, found) }];
}

function unknownUnit(unit: string, target: SourceTarget): string {
  const allowed = target.unit === undefined ? pageUnitNames : unitsFor(target.unit);
  const meant = nearest(unit, allowed) ?? nearest(unit, pageUnitNames);
  const hint = meant === undefined ? '' : `did you mean "${meant}"? `;
  return `found "${unit}"; ${hint}${target.unit === undefined ? 'units are' : `${target.name} is in ${target.unit}, and allowed are`}: ${allowed.join(', ')}`;
}

function impossibleUnit(unit: string, family: string, wanted: CatalogFamily['unit']): string {
  return `${family} is in ${wanted}, and ${unit} cannot become that; allowed: ${unitsFor(wanted).join(', ')} (where you know the factor, leave "unit" out and give "scale")`;
}

function twoScales(unit: string, scale: number, { scale: meant, unit: into }: PageUnit): string {
  return `found ${scale}, but ${unit} becomes ${into} by ${meant}; leave "scale" out, or "unit"`;
}

function checkType(path: ConfigPath, { type, part }: FileSource, target: SourceTarget): readonly Problem[] {
  const { name, type: wanted } = target;
  if (part !== undefined && wanted === 'histogram') {
    const message = `${name} is a histogram, and one part of another is none; leave "part" out`;
    return [{ path: [...path, 'part'], message }];
  }
  if (type === undefined || type === 'untyped') return [];
  const whole = type === 'histogram' || type === 'summary';
  if (wanted === 'histogram' && !whole) {
    const message = `${name} is a histogram, which a ${type} cannot become; allowed: histogram, summary`;
    return [{ path: [...path, 'type'], message }];
  }
  if (wanted !== 'histogram' && whole && part === undefined) {
    const message = `${name} is a ${wanted}, which a whole ${type} cannot become; say which of its numbers is meant: "part: sum" or "part: count"`;
    return [{ path: [...path, 'type'], message }];
  }
  if (!whole && part !== undefined) {
    return [{ path: [...path, 'part'], message: `a ${type} has no parts; leave "part" out` }];
  }
  return [];
}

/** Of a histogram the base name is meant; a person copies what the page shows. */
function checkNames(path: ConfigPath, { names, part }: FileSource, target: SourceTarget): readonly Problem[] {
  if (target.type !== 'histogram' && part === undefined) return [];
  return names.flatMap((name, at) => {
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    const message = `found "${name}"; name the histogram itself: "${base}"`;
    return base === name ? [] : [{ path: [...path, 'names', at], message }];
  });
}

function checkLabels(path: ConfigPath, source: FileSource, target: SourceTarget): readonly Problem[] {
  const problems: Problem[] = [];
  const check = (label: string, at: ConfigPath, values: readonly [string, ConfigPath][]): void => {
    // An info family's labels are its content: any.
    if (target.ranks !== 'info' && !target.labels.includes(label)) {
      problems.push({ path: at, message: noSuchLabel(label, target) });
    }
    const closed = target.labelValues?.[label];
    for (const [value, place] of values) {
      if (closed?.includes(value) !== false) continue;
      const meant = nearest(value, closed);
      const hint = meant === undefined ? '' : `did you mean "${meant}"? `;
      problems.push({ path: place, message: `found "${value}"; ${hint}allowed: ${closed.join(', ')}` });
    }
  };
  for (const [label, { values = {}, otherwise }] of Object.entries(source.labels ?? {})) {
    const at = [...path, 'labels', label];
    check(label, at, [
      ...Object.entries(values).map(([page, value]): [string, ConfigPath] => [
        value,
        [...at, 'values', page],
      ]),
      ...(otherwise === undefined ? [] : [[otherwise, [...at, 'otherwise']] as [string, ConfigPath]]),
    ]);
  }
  for (const [label, value] of Object.entries(source.constant ?? {})) {
    const at = [...path, 'constant', label];
    check(label, at, [[value, at]]);
  }
  for (const [at, label] of (source.without ?? []).entries()) check(label, [...path, 'without', at], []);
  return problems;
}

function noSuchLabel(label: string, { name, labels }: SourceTarget): string {
  if (label === 'model_name' || label === 'engine') {
    const key = label === 'engine' ? 'rankLabel' : 'modelLabels';
    return `is a label of every series: say where the page has it with "${key}" of the kind`;
  }
  if (labels.length === 0) return `${name} has no labels of its own`;
  const meant = nearest(label, labels);
  return `${name} has no label "${label}"; ${meant === undefined ? '' : `did you mean "${meant}"? `}it has: ${labels.join(', ')}`;
}
