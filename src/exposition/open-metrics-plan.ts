import type { MetricType } from './exposition.ts';
import { openMetricsName, openMetricsSampleNames } from './open-metrics-shape.ts';
import { unescapeText } from './unescape.ts';

/** Sample lines, as text or as UTF-8. */
export type Lines = string | Uint8Array;

/** A family whose sample lines are written: the text format's are right for OpenMetrics, too. */
export interface LinedFamily {
  /** As in the text format: a counter's with `_total`. */
  readonly name: string;
  readonly type: MetricType;
  readonly help?: string | undefined;
  readonly unit?: string | undefined;
  readonly lines: Lines;
  /** OpenMetrics allows these samples for the type: `fitsOpenMetrics`. */
  readonly fits: boolean;
}

/** A family of one name, of whatever format, in parts that follow one another. */
interface Group {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string | undefined;
  readonly unit: string | undefined;
  readonly parts: readonly Lines[];
}

type TextGroup = Group & { readonly fits: boolean };

/** While its parts still come: one from each engine, so that a copy for each would be many. */
type Growing<T extends Group> = { -readonly [K in keyof T]: K extends 'parts' ? Lines[] : T[K] };

/**
 * The families that OpenMetrics has for these of the text format: each under its name there, none with a name that
 * a sample of another may have. What does not fit becomes families of unknown type, one a sample name.
 */
export function openMetricsPlan(families: Iterable<LinedFamily>): readonly Group[] {
  const groups = groupByName(families);
  const typed = typedGroups(groups);
  const pieces = new Map<string, Growing<Group>>();
  for (const group of groups.values()) {
    if (!typed.has(group)) for (const piece of piecesOf(group)) join(pieces, piece);
  }
  const whole = [...typed].map((group) => {
    const piece = pieces.get(group.name);
    pieces.delete(group.name);
    return { ...group, name: openMetricsName(group), parts: [...group.parts, ...(piece?.parts ?? [])] };
  });
  return [...whole, ...pieces.values()];
}

function groupByName(families: Iterable<LinedFamily>): Map<string, TextGroup> {
  const groups = new Map<string, Growing<TextGroup>>();
  for (const { name, type, help, unit, lines, fits } of families) {
    const known = groups.get(name);
    if (known === undefined) {
      groups.set(name, { name, type, help, unit, parts: [lines], fits });
      continue;
    }
    known.help ??= help;
    known.unit ??= unit;
    known.fits &&= fits && known.type === type;
    known.parts.push(lines);
  }
  return groups;
}

/** Those that keep their type. */
function typedGroups(groups: ReadonlyMap<string, TextGroup>): ReadonlySet<TextGroup> {
  // Of a gauge `x` and a counter `x_total` it is the counter whose family would have to change its name.
  const fitting = [...groups.values()].filter((group) => {
    const name = openMetricsName(group);
    return group.fits && (name === group.name || !groups.has(name));
  });
  const typed = new Set(fitting);
  const claims = new Map<string, number>();
  for (const group of groups.values()) {
    const names = typed.has(group)
      ? namesOf(group)
      : [group.name, ...piecesOf(group).map(({ name }) => name)];
    for (const name of new Set(names)) claims.set(name, (claims.get(name) ?? 0) + 1);
  }
  // A family whose samples all have its own name can share that name with pieces of others.
  for (const group of fitting) {
    if (openMetricsSampleNames(group).length === 0) continue;
    if (namesOf(group).some((name) => claims.get(name) !== 1)) typed.delete(group);
  }
  return typed;
}

/** All names that OpenMetrics reserves for a family. */
function namesOf(group: TextGroup): readonly string[] {
  return [group.name, openMetricsName(group), ...openMetricsSampleNames(group)];
}

/** One family of unknown type for each sample name. */
function piecesOf({ name: whole, help, parts }: TextGroup): readonly Growing<Group>[] {
  const byName = new Map<string, string>();
  for (const part of parts) {
    const text = typeof part === 'string' ? part : new TextDecoder().decode(part);
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const name = nameOf(line);
      byName.set(name, `${byName.get(name) ?? ''}${line}\n`);
    }
  }
  return Array.from(byName, ([name, lines]) => ({
    name,
    type: 'unknown',
    help: name === whole ? help : undefined,
    unit: undefined,
    parts: [lines],
  }));
}

/** The metric name of a line as we write them. */
function nameOf(line: string): string {
  const quoted = /^\{"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return quoted === undefined ? line.slice(0, line.search(/[{ ]/)) : unescapeText(quoted);
}

function join(pieces: Map<string, Growing<Group>>, piece: Growing<Group>): void {
  const known = pieces.get(piece.name);
  if (known === undefined) {
    pieces.set(piece.name, piece);
    return;
  }
  known.help ??= piece.help;
  for (const part of piece.parts) known.parts.push(part);
}
