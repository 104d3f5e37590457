/**
 * What a terminal acts on instead of showing it, or what changes how its neighbours are shown: control characters,
 * C1 included, line and paragraph separators, direction marks and whatever else has no form of its own.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const HIDDEN_IN_LINE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text from outside as it may stand in a line for a person: what is hidden is written as in JSON, `\u001b`. */
export function printable(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** The same for a text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(HIDDEN_IN_LINE, escaped);
}

function escaped(hidden: string): string {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
