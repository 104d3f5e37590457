import type { Exchange } from './exchange.ts';

/** The token of `Authorization: Bearer`, the word in any case. Plain comparison: a simulated key guards nothing. */
export function bearerOf(exchange: Exchange): string | undefined {
  return /^bearer (.+)$/i.exec(exchange.headers.authorization ?? '')?.[1];
}

export function headerOf(exchange: Exchange, name: string): string | undefined {
  const value = exchange.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
