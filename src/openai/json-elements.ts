import type { Span } from './json-scan.ts';
import { BYTE, blanksEnd, isWordByte, stringEnd } from './json-token.ts';

/** An element of a list; `end` is absent when it was not reached. */
export interface Element {
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * The first elements of a list that is known to be JSON, as far as the given number of bytes reaches.
 * @param list the list with its brackets
 */
export function firstElements(
  bytes: Uint8Array,
  list: Span,
  limits: { readonly elements: number; readonly bytes: number },
): readonly Element[] {
  const until = Math.min(list.end, list.start + limits.bytes);
  const elements: Element[] = [];
  let at = blanksEnd(bytes, list.start + 1, until);
  while (elements.length < limits.elements && at < until && bytes[at] !== BYTE.closeList) {
    const end = valueEnd(bytes, at, until);
    elements.push({ start: at, end });
    if (end === undefined) break;
    at = blanksEnd(bytes, end, until);
    if (bytes[at] === BYTE.comma) at = blanksEnd(bytes, at + 1, until);
  }
  return elements;
}

function valueEnd(bytes: Uint8Array, from: number, until: number): number | undefined {
  let depth = 0;
  let at = from;
  while (at < until) {
    at = blanksEnd(bytes, at, until);
    const byte = bytes[at];
    if (byte === BYTE.quote) at = stringEnd(bytes, at);
    else if (byte === BYTE.openObject || byte === BYTE.openList) {
      depth += 1;
      at += 1;
    } else if (byte === BYTE.closeObject || byte === BYTE.closeList) {
      depth -= 1;
      at += 1;
    } else if (byte === BYTE.comma || byte === BYTE.colon) at += 1;
    else at = wordEnd(bytes, at);
    if (depth === 0) return at;
  }
  return undefined;
}

function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (isWordByte(bytes[at])) at += 1;
  return at;
}
