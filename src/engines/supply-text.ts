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

export function isSupplied(supply: Supply): 'yes' | 'some versions' | 'no' {
  if ('missing' in supply) return 'no';
  if ('names' in supply) return supply.optional === true ? 'some versions' : 'yes';
  if ('firstOf' in supply) {
    const answers = supply.firstOf.map(isSupplied);
    return answers.includes('yes') ? 'yes' : answers.includes('some versions') ? 'some versions' : 'no';
  }
  return 'yes';
}

function textOf(source: Source, mark: Mark): string {
  const { names, where = {}, scale, part, constant = {}, optional } = source;
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
    ...(optional === true ? ['in some versions or with a flag'] : []),
  ];
  return `${mark(newest + labels)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
