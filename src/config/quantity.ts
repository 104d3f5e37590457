const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const SIZES: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1_000,
  KiB: 1024,
  MB: 1_000_000,
  MiB: 1024 ** 2,
  GB: 1_000_000_000,
  GiB: 1024 ** 3,
};

/** "500ms", "1s", "1.5m", "2h" in milliseconds; undefined when it is not a duration. A bare number has no unit: refused. */
export function parseDuration(text: string): number | undefined {
  return quantity(text, DURATIONS);
}

/** "32MiB", "500 KB", or a plain number of bytes; undefined when it is not a size. */
export function parseBytes(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (/^\d+$/.test(value)) return parseBytes(Number(value));
  const bytes = quantity(value, SIZES);
  return bytes === undefined ? undefined : Math.round(bytes);
}

/** The shortest exact way to write it: 1000 is "1s", 1500 is "1500ms". */
export function formatDuration(ms: number): string {
  return shortest(ms, DURATIONS);
}

/** 33554432 is "32MiB". */
export function formatBytes(bytes: number): string {
  return shortest(bytes, { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 });
}

function quantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(text.trim()) ?? [];
  const factor = unit === undefined || !Object.hasOwn(units, unit) ? undefined : units[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

function shortest(value: number, units: Readonly<Record<string, number>>): string {
  let written = String(value);
  for (const [unit, factor] of Object.entries(units)) {
    if (value % factor === 0 && (value > 0 || factor === 1)) written = `${value / factor}${unit}`;
  }
  return written;
}
