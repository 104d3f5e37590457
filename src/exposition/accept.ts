/** One element of an Accept header. */
export interface AcceptRange {
  /** Lower case, for instance `text/plain`, or a wildcard. */
  readonly mediaType: string;
  /** From 0 (refused) to 1; what cannot be read, or lies beyond, counts as 1. */
  readonly weight: number;
  /** Names and values in lower case, without quotes; of a name that stands twice the last. Without `q`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** In the header's order. Never fails: a part that makes no sense is one that names nothing. */
export function parseAccept(accept: string): AcceptRange[] {
  return split(accept, ',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
    .map(parseRange);
}

function parseRange(element: string): AcceptRange {
  const [mediaType = '', ...rest] = split(element.toLowerCase(), ';');
  const parameters = new Map(rest.map(parseParameter));
  const q = Number(parameters.get('q') || 1);
  parameters.delete('q');
  return { mediaType: mediaType.trim(), weight: q >= 0 && q < 1 ? q : 1, parameters };
}

function parseParameter(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals === -1) return [text.trim(), ''];
  const value = text.slice(equals + 1).trim();
  const quoted = /^"(.*)"$/.exec(value)?.[1];
  return [text.slice(0, equals).trim(), quoted?.replace(/\\(.)/g, '$1') ?? value];
}

/** Splits at a separator that does not stand in quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\' && quoted) at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (letter === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
