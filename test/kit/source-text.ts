/** TypeScript source with comments blanked, and with what strings say blanked too where `strings` is false. */
export function blanked(text: string, keep: { readonly strings: boolean }): string {
  let out = '';
  let at = 0;
  /** One entry per open `${`: how many braces are open in it. */
  const templates: number[] = [];

  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  const take = (length: number, shown: boolean): void => {
    const part = text.slice(at, at + length);
    out += shown ? part : blank(part);
    at += length;
  };
  const template = (): void => {
    // At the opening backtick or at the brace that closes a `${`.
    take(1, true);
    while (at < text.length) {
      if (text[at] === '\\') take(2, keep.strings);
      else if (text[at] === '`') {
        take(1, true);
        return;
      } else if (text.startsWith('${', at)) {
        templates.push(0);
        take(2, true);
        return;
      } else take(1, keep.strings);
    }
  };

  while (at < text.length) {
    const char = text[at] ?? '';
    const open = templates.at(-1);
    if (text.startsWith('//', at)) take(lengthTo(text, at, '\n', 0), false);
    else if (text.startsWith('/*', at)) take(lengthTo(text, at + 2, '*/', 2) + 2, false);
    else if (char === "'" || char === '"') {
      const length = /^(['"])(?:\\.|(?!\1)[^\\\n])*\1?/s.exec(text.slice(at))?.[0].length ?? 1;
      take(1, true);
      take(Math.max(0, length - 2), keep.strings);
      take(Math.min(1, length - 1), true);
    } else if (char === '`') template();
    else if (char === '/' && regexMayStart(out)) {
      take(/^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/.exec(text.slice(at))?.[0].length ?? 1, false);
    } else if (char === '}' && open === 0) {
      templates.pop();
      template();
    } else {
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1;
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1;
      take(1, true);
    }
  }
  return out;
}

function lengthTo(text: string, from: number, end: string, extra: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length - from : found - from + extra;
}

/** After an operator or a keyword a slash opens a regular expression; after a value it divides. */
function regexMayStart(before: string): boolean {
  const code = before.trimEnd();
  if (code === '' || /[-(,=:[!&|?{};+*%~^<>]$/.test(code)) return true;
  return /\b(?:return|typeof|case|in|of|delete|void|throw|await|yield|else|do)$/.test(code);
}
