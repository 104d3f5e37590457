import { BLANK, LINE_FEED, TAB } from './bytes.ts';

/** Enough to recognise what went wrong, and to keep a hostile page out of the log. */
const EXCERPT_LENGTH = 60;

/** 1-based. Columns are counted in characters, as editors show them. */
export function placeOf(bytes: Uint8Array, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let next = bytes.indexOf(LINE_FEED); next !== -1 && next < at; ) {
    line += 1;
    lineStart = next + 1;
    next = bytes.indexOf(LINE_FEED, lineStart);
  }
  let column = 1;
  for (const _ of lossy(bytes.subarray(lineStart, at))) column += 1;
  return { line, column };
}

/** What stands at a place, in words for a message. */
export function found(bytes: Uint8Array, at: number): string {
  const byte = bytes[at];
  if (byte === undefined) return 'the end of the page';
  if (byte === LINE_FEED) return 'the end of the line';
  if (byte === 0x0d) return 'a carriage return (lines end in a line feed alone)';
  if (byte === BLANK) return 'a blank';
  if (byte === TAB) return 'a tab';
  if (byte === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) return 'a byte order mark';
  let end = at + 1;
  const limit = Math.min(bytes.length, at + 4 * EXCERPT_LENGTH);
  while (end < limit && (bytes[end] ?? 0) > BLANK) end += 1;
  return excerpt(lossy(bytes.subarray(at, end)));
}

/** For a message: quoted, control characters made visible, shortened. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text);
}

export function lossy(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The start of the first bad sequence, byte by byte, since `TextDecoder` does not say where it failed. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    try {
      if (decoder.decode(bytes.subarray(at, at + 1), { stream: true }) !== '') start = at + 1;
    } catch {
      return start;
    }
  }
  return start;
}
