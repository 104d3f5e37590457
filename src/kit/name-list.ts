import { shorten } from './shorten.ts';

const SHOWN = 20;
const NAME_LENGTH = 128;

/** Names for a person, in a sentence: the first of them, and how many more there are. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => shorten(name, NAME_LENGTH));
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
