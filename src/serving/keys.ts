import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { GatewayError } from './errors.ts';

export interface Keys {
  /** Open everything but admin actions, where those have keys of their own. */
  readonly client: readonly string[];
  /** Open the pages (metrics, lists) and nothing else. */
  readonly scrape: readonly string[];
  readonly admin: readonly string[];
}

export const noKeys: Keys = { client: [], scrape: [], admin: [] };

/** `open`: health looks. `client`: requests. `scrape`: pages. `admin`: actions that change something. */
export type Guard = 'open' | 'client' | 'scrape' | 'admin';

/** @throws GatewayError `invalid_api_key` when keys guard this and none that is shown fits. */
export function checkKey(headers: IncomingHttpHeaders, guard: Guard, keys: Keys): void {
  const accepted = acceptedKeys(guard, keys);
  if (accepted === undefined) return;
  const shown = shownKeys(headers);
  if (shown.some((key) => isOneOf(key, accepted))) return;
  const message =
    shown.length === 0
      ? 'An API key is needed: send "Authorization: Bearer KEY" or "x-api-key: KEY"'
      : 'The API key is not one of this gateway';
  throw new GatewayError('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Undefined: no key is asked for. */
function acceptedKeys(guard: Guard, { client, scrape, admin }: Keys): readonly string[] | undefined {
  switch (guard) {
    case 'open':
      return undefined;
    case 'client':
      return client.length > 0 ? client : undefined;
    case 'scrape':
      return client.length + scrape.length > 0 ? [...client, ...scrape, ...admin] : undefined;
    case 'admin':
      if (admin.length > 0) return admin;
      return client.length > 0 ? client : undefined;
  }
}

function shownKeys(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const plain = headers['x-api-key'];
  return [bearer, typeof plain === 'string' ? plain.trim() : undefined].filter(
    (key): key is string => key !== undefined && key !== '',
  );
}

/** Digests have one length and every key is compared, so time tells neither length nor position. */
function isOneOf(shown: string, keys: readonly string[]): boolean {
  const digest = sha256(shown);
  let found = false;
  for (const key of keys) {
    if (timingSafeEqual(digest, sha256(key))) found = true;
  }
  return found;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
