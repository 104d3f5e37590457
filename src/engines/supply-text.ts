import type { Source, Supply } from './profile.ts';

/** How a text of the page or the catalogue stands in a sentence: as it is, or as code of Markdown. */
type Mark = (text: string) => string;

/** How a kind supplies a family, in words. */
export function supplyText(supply: Supply, mark: Mark = (text) => text): string {
  const sourceText = (source: Source): string => textOf(source, mark);
  if ('missing' in supply) return `not there: ${supply.missing}`;
  if ('names' in supply) return sourceText(supply);
  if ('sum' in supply) return supply.sum.map(sourceText).join(' + ');
  if ('each' in supply) return supply.each.map(sourceText).join('; ');
  if ('firstOf' in supply) return supply.firstOf.map((option) => supplyText(option, mark)).join('; else ');
  if ('ratio' in supply) return supply.ratio.map(sourceText).join(' / ');
  if ('sameAs' in supply) {
    const onlyWith = supply.onlyWith === undefined ? '' : `, while ${mark(supply.onlyWith)} is there`;
    return `the same figure as ${mark(supply.sameAs)}${onlyWith}`;
  }
  return Object.entries(supply.info)
    .map(([label, source]) => `${mark(label)} from ${sourceText(source)}`)
    .join('; ');
}

/** @param families the kind's own, where the figure is another family's */
export function isSupplied(
  supply: Supply,
  families: Readonly<Record<string, Supply>> = {},
): 'yes' | 'some versions' | 'no' {
  if ('missing' in supply) return 'no';
  if ('names' in supply) return supply.optional === true ? 'some versions' : 'yes';
  if ('sameAs' in supply) {
    const other = families[supply.sameAs];
    return other === undefined ? 'yes' : isSupplied(other, families);
  }
  const answers = partsOf(supply).map((part) => isSupplied(part, families));
  const isWhole = 'ratio' in supply ? answers.every((one) => one === 'yes') : answers.includes('yes');
  if (isWhole) return 'yes';
  return answers.some((one) => one !== 'no') ? 'some versions' : 'no';
}

/** Of a sum the main part decides. */
function partsOf(
  supply: Exclude<Supply, Source | { sameAs: string } | { missing: string }>,
): readonly Supply[] {
  if ('firstOf' in supply) return supply.firstOf;
  if ('sum' in supply) return supply.sum.slice(0, 1);
  if ('each' in supply) return supply.each;
  return 'ratio' in supply ? supply.ratio : Object.values(supply.info);
}

function textOf(source: Source, mark: Mark): string {
  const { names, where = {}, scale, part, constant = {}, optional, lazy, since, until } = source;
  const conditions = Object.entries(where).map(
    ([label, values]) =>
      `${label}=${[values]
        .flat()
        .map((value) => JSON.stringify(value))
        .join(' or ')}`,
  );
  const labels = conditions.length === 0 ? '' : `{${conditions.join(', ')}}`;
  const [newest = '', ...others] = names;
  // The page says once that underscores are read as well.
  const older = others.filter((name) => !names.includes(name.replace('_', ':')));
  const notes = [
    ...(part === undefined ? [] : [`its ${part}`]),
    ...(scale === undefined ? [] : [`times ${scale}`]),
    ...(older.length === 0 ? [] : [`or ${older.map(mark).join(', ')}`]),
    ...Object.entries(constant).map(([label, value]) => `as ${mark(`${label}="${value}"`)}`),
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(lazy === true ? ['once there is something to count'] : []),
    ...(optional === true && since === undefined && until === undefined
      ? ['in some versions or with a flag']
      : []),
  ];
  return `${mark(newest + labels)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
