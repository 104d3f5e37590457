import { ByteRuns } from './byte-runs.ts';

/** Metric names prepared for `fastRead`: made once for a profile, used for each of its pages. */
export interface NameTable {
  readonly names: readonly string[];
  /** The same, for names that stand in quotes. */
  readonly wanted: ReadonlySet<string>;
  readonly spelled: readonly Uint8Array[];
  /** Index of a name plus 1, at the slot of its hash or the next free one behind; 0 is free. */
  readonly slots: Uint16Array;
}

export function nameTable(names: readonly string[]): NameTable {
  const wanted = new Set(names);
  const distinct = [...wanted];
  const spelled = distinct.map((name) => new TextEncoder().encode(name));
  // A quarter full: an unwanted name nearly always meets a free slot at once.
  const slots = new Uint16Array(2 ** Math.ceil(Math.log2(distinct.length * 4 + 1)));
  spelled.forEach((bytes, index) => {
    let slot = slotOf(new ByteRuns(bytes).hash(0, bytes.length), slots.length);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = index + 1;
  });
  return { names: distinct, wanted, spelled, slots };
}

/** The wanted name that exactly these bytes spell; `hash` is theirs by `ByteRuns`. */
export function findName(
  table: NameTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): string | undefined {
  const { slots } = table;
  for (let slot = slotOf(hash, slots.length); ; slot = (slot + 1) & (slots.length - 1)) {
    const index = (slots[slot] ?? 0) - 1;
    if (index === -1) return undefined;
    const spelled = table.spelled[index];
    if (spelled !== undefined && isSpelled(spelled, bytes, start, end)) return table.names[index];
  }
}

/** The high bits of a multiplicative hash are its good ones. */
function slotOf(hash: number, size: number): number {
  return (hash ^ (hash >>> 15)) & (size - 1);
}

function isSpelled(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (word[index] !== bytes[start + index]) return false;
  }
  return true;
}
