import type { Log, LogFields, LogLevel } from '../../src/kit/log.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A log that keeps its lines. */
export function collectingLog(
  lines: LogLine[] = [],
  bound: LogFields = {},
): Log & { readonly lines: LogLine[] } {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields: { ...bound, ...fields } });
    };
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => collectingLog(lines, { ...bound, ...fields }),
  };
}
