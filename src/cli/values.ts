import { withoutCredentials, wrongEngineUrl } from '../config/engine-url.ts';
import { nearest } from '../kit/nearest.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The value of an option as a whole number; throws UsageError with what is allowed. */
export function wholeNumber(
  flag: string,
  text: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  const allowed = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`--${flag}: found ${JSON.stringify(text)}; expected a whole number ${allowed}`);
}

export function positiveNumber(flag: string, text: string): number {
  const number = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`--${flag}: found ${JSON.stringify(text)}; expected a number above 0`);
}

/** A part of a whole, 0 to 1; throws UsageError. */
export function shareOf(flag: string, text: string): number {
  const number = Number(text);
  if (/^\d*\.?\d+$/.test(text) && number <= 1) return number;
  throw new UsageError(
    `--${flag}: found ${JSON.stringify(text)}; expected a share from 0 to 1, such as 0.05`,
  );
}

export function oneOf(flag: string, text: string, allowed: readonly string[]): string {
  if (allowed.includes(text)) return text;
  const meant = nearest(text, allowed);
  const hint = meant === undefined ? '' : `did you mean "${meant}"? `;
  throw new UsageError(`--${flag}: found ${JSON.stringify(text)}; ${hint}allowed: ${allowed.join(', ')}`);
}

export function engineUrl(flag: string, text: string): string {
  const wrong = wrongEngineUrl(text);
  if (wrong === undefined) return text;
  throw new UsageError(`--${flag}: found ${JSON.stringify(withoutCredentials(text))}; ${wrong}`);
}

/** `HOST:PORT`, `[::1]:PORT` or a port alone, which leaves the host as it is. */
export function listenAddress(flag: string, text: string): { host: string | undefined; port: number } {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new UsageError(
      `--${flag}: found ${JSON.stringify(text)}; expected HOST:PORT such as 127.0.0.1:4100 or [::1]:4100, with a port from 0 to 65535`,
    );
  }
  const host = bracketed ?? plain;
  return { host: host === undefined || host === '' ? undefined : host, port };
}
