import { isIP } from 'node:net';

import { z } from 'zod';

import { wrongUrl } from './engine-url.ts';
import { parseBytes, parseDuration } from './quantity.ts';

/** A text with a check that says what is wrong in the words of `wrong`. */
export function text(wrong: (value: string) => string | undefined, error = 'expected a text'): z.ZodString {
  return z.string({ error }).superRefine((value, context) => {
    const message = wrong(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A text that is not blank. */
export const filled = text((value) => {
  if (value.trim() === '') return 'it must not be empty';
  return value.trim() === value ? undefined : 'leave out the blank at its start or end';
});

/** Without port: what a listener takes, or what a Host header names. */
export const host = text((value) => {
  if (isIP(value.replace(/^\[(.*)\]$/, '$1')) !== 0) return undefined;
  const isName = /^(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*\.?$/.test(value);
  // Digits and dots alone are an address, or were meant as one.
  if (isName && !/^[\d.]+$/.test(value)) return undefined;
  const hint = /:\d+$/.test(value) || value.includes('/') ? ', without scheme and port' : '';
  return `expected a host name or an address${hint}: 127.0.0.1, gate.lab`;
});

/** What may stand in an HTTP header, so that a key with a stray blank fails here and not as a 401. */
export const secret = text((value) =>
  /^[!-~]+$/.test(value) ? undefined : 'a key is made of printable ASCII characters without blanks',
);

/** Stands in paths, labels and file names as it is. */
export const name = text((value) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(value)
    ? undefined
    : 'a name has 1 to 63 letters, digits, dots, dashes and underscores and starts with a letter or digit',
);

/** A path below an engine's URL or a full URL of its own. */
export const metricsAddress = text((value) =>
  value.startsWith('/') && !/[\s#]/.test(value)
    ? undefined
    : wrongUrl(value.replace(/\?.*$/, '')) === undefined
      ? undefined
      : 'expected a path that starts with "/" or a full URL',
);

/** Nothing here is worth a longer wait: whoever writes more has another unit in mind. */
const LONGEST_MS = 24 * 3_600_000;

/** "1s" in the file, milliseconds after it. */
export function duration(leastMs: number, fallback: string) {
  const form = 'expected a number with its unit: 500ms, 1s, 2m';
  return text((value) => {
    const ms = parseDuration(value);
    if (ms === undefined) return form;
    if (ms < leastMs) return `at least ${leastMs}ms`;
    return ms > LONGEST_MS ? 'at most 24h' : undefined;
  }, form)
    .transform((value) => parseDuration(value) ?? 0)
    .prefault(fallback)
    .meta({ title: 'a duration' });
}

/** "32MiB" or a number of bytes in the file, bytes after it. */
export function bytes(least: number, fallback: string) {
  const form = 'expected a size: 32MiB, 64KB, 1048576';
  return z
    .union([z.number(), z.string()], { error: form })
    .superRefine((value, context) => {
      const size = parseBytes(value);
      if (size === undefined) context.addIssue({ code: 'custom', message: form });
      else if (size < least) context.addIssue({ code: 'custom', message: `at least ${least} bytes` });
    })
    .transform((value) => parseBytes(value) ?? 0)
    .prefault(fallback)
    .meta({ title: 'a size' });
}
