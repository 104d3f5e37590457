import type { Answer } from '../engines/evidence.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { shorten } from '../kit/shorten.ts';
import { withoutQuery } from '../kit/without-query.ts';
import type { Ask } from './ask.ts';
import { MESSAGE_LENGTH, type ScrapeFailure } from './failure.ts';

export type Alive =
  | { readonly state: 'alive' }
  | { readonly state: 'loading'; readonly reason: string }
  | { readonly state: 'failed'; readonly failure: ScrapeFailure };

/** What most engines answer health at; of a kind not known yet it is the first thing to ask. */
const USUAL_HEALTH = '/health';

/**
 * Whether the engine takes requests. Any answer but a server error will do: a missing or guarded health path is no
 * illness. While the kind is not known a 503 counts as loading, since most kinds mean that by it.
 */
export async function lookAtHealth(ask: Ask, profile: EngineProfile | undefined): Promise<Alive> {
  const path = profile?.health.path ?? USUAL_HEALTH;
  const asked = await ask(path);
  if ('failure' in asked) return { state: 'failed', failure: asked.failure };
  const { status } = asked.answer;
  const said = `GET ${withoutQuery(path)} answered ${status}`;
  if (status === 503 && profile?.health.loadingIs503 !== false) {
    return { state: 'loading', reason: `${said}: ${loadingMessage(asked.answer)}` };
  }
  if (status >= 500 && status !== 501) {
    return { state: 'failed', failure: { cause: 'http-status', reason: said, unreachable: false, status } };
  }
  return { state: 'alive' };
}

function loadingMessage({ body }: Answer): string {
  return shorten(/loading[^"]*/i.exec(body)?.[0] ?? 'it is still loading', MESSAGE_LENGTH);
}
