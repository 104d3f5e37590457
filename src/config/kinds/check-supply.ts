import type { CatalogFamily } from '../../catalog/family.ts';
import { pageUnit } from '../../catalog/page-unit.ts';
import { vllmFamilies } from '../../catalog/vllm.ts';
import { todaysNames } from '../../engines/vllm-names.ts';
import { nearest } from '../../kit/nearest.ts';
import type { ConfigPath, Problem } from '../problem.ts';
import { checkSource, type SourceTarget } from './check-source.ts';
import type { FileSource, FileSupply } from './kinds-schema.ts';

/** One of these says where the figure is. */
const FORMS = ['names', 'sum', 'each', 'ratio', 'info', 'sameAs', 'missing'] as const;

const NAMES = vllmFamilies.map(({ name }) => name);

/** The family of that name, or why there is none. */
function contractFamily(name: string): CatalogFamily | string {
  const family = vllmFamilies.find((one) => one.name === name);
  if (family !== undefined) return family;
  const today = todaysNames(name);
  if (today.length > 0) {
    return `no family has this name any more: it is the old name of ${today.join(' and ')}; write ${today.length === 1 ? 'that one' : 'those'}`;
  }
  const meant = nearest(name, NAMES);
  return `no family has this name${meant === undefined ? "; allowed are vLLM's current names, as docs/reference/metrics.md has them" : `; did you mean "${meant}"?`}`;
}

export function checkSupply(path: ConfigPath, supply: FileSupply, name: string): readonly Problem[] {
  const family = contractFamily(name);
  if (typeof family === 'string') return [{ path, message: family }];
  const given = FORMS.filter((form) => supply[form] !== undefined);
  const [form] = given;
  if (form === undefined) {
    const message = `does not say where it stands; give one of: ${FORMS.join(', ')}`;
    return [{ path, message }];
  }
  const strays = strayKeys(supply, form);
  if (strays.length > 0)
    return strays.map((key) => ({ path: [...path, key], message: strayText(key, form) }));
  return checkForm(path, supply, family);
}

/** Keys that mean nothing beside this form. */
function strayKeys(supply: FileSupply, form: (typeof FORMS)[number]): readonly string[] {
  const together = form === 'sameAs' ? ['sameAs', 'onlyWith'] : [form];
  return Object.entries(supply)
    .filter(([key, value]) => value !== undefined && !together.includes(key))
    .map(([key]) => key)
    .filter((key) => form !== 'names' || key === 'onlyWith' || (FORMS as readonly string[]).includes(key));
}

function strayText(key: string, form: (typeof FORMS)[number]): string {
  if ((FORMS as readonly string[]).includes(key)) return `stands beside "${form}"; keep one of the two`;
  if (key === 'onlyWith') return 'means something beside "sameAs" only';
  return form === 'sameAs' || form === 'missing'
    ? `means nothing beside "${form}"`
    : `stands beside "${form}"; give it to each of its sources`;
}

function checkForm(path: ConfigPath, supply: FileSupply, family: CatalogFamily): readonly Problem[] {
  const { names, sum, each, ratio, info, sameAs, onlyWith } = supply;
  if (names !== undefined) return checkSource(path, { ...supply, names }, family);
  if (sum !== undefined) return all([...path, 'sum'], sum, family);
  if (each !== undefined) return all([...path, 'each'], each, family);
  if (ratio !== undefined) return checkRatio([...path, 'ratio'], ratio, family);
  if (info !== undefined) return checkInfo([...path, 'info'], info, family);
  return [
    ...checkSameAs([...path, 'sameAs'], sameAs, family),
    ...(onlyWith === undefined ? [] : checkReference([...path, 'onlyWith'], onlyWith)),
  ];
}

function all(path: ConfigPath, sources: readonly FileSource[], target: SourceTarget): readonly Problem[] {
  return sources.flatMap((source, at) => checkSource([...path, at], source, target));
}

/** Used over all: both in one unit, whichever. */
function checkRatio(
  path: ConfigPath,
  ratio: readonly FileSource[],
  family: CatalogFamily,
): readonly Problem[] {
  if (family.unit !== 'ratio') {
    return [{ path, message: `${family.name} is in ${family.unit}, and a quotient is a ratio` }];
  }
  if (ratio.length !== 2) {
    return [{ path, message: `found ${ratio.length} of them; expected two sources: the part and the whole` }];
  }
  const [part, whole] = ratio.map(({ unit }) => (unit === undefined ? undefined : pageUnit(unit)?.unit));
  const unequal = part !== undefined && whole !== undefined && part !== whole;
  return [
    ...all(path, ratio, { ...family, unit: undefined }),
    ...(unequal ? [{ path, message: `${part} over ${whole} is no share of anything` }] : []),
  ];
}

function checkInfo(
  path: ConfigPath,
  info: NonNullable<FileSupply['info']>,
  family: CatalogFamily,
): readonly Problem[] {
  if (family.ranks !== 'info') {
    return [{ path, message: `${family.name} is a number and no info family; name its source with "names"` }];
  }
  const target = { ...family, unit: undefined, labels: [], ranks: 'max' } as const;
  return Object.entries(info).flatMap(([label, source]) => checkSource([...path, label], source, target));
}

function checkSameAs(path: ConfigPath, name: string | undefined, family: CatalogFamily): readonly Problem[] {
  if (name === undefined) return [];
  const other = contractFamily(name);
  if (typeof other === 'string') return [{ path, message: other }];
  if (other.type === family.type && other.unit === family.unit) return [];
  const message = `${family.name} is a ${family.type} in ${family.unit}, ${name} a ${other.type} in ${other.unit}`;
  return [{ path, message }];
}

function checkReference(path: ConfigPath, name: string): readonly Problem[] {
  const family = contractFamily(name);
  return typeof family === 'string' ? [{ path, message: family }] : [];
}
