import { reason } from '../../kit/log.ts';
import type { World } from '../parts.ts';

/** Mean pause between two requests: some engine is nearly always busy and none is ever full. */
const MEAN_GAP_MS = 900;
/** Beyond it a request is left out: a demo on a slow machine must not drown. */
const MAX_IN_FLIGHT = 16;

const TOPICS = ['rivers', 'turbines', 'glaciers', 'dams', 'clouds', 'tides', 'wells', 'canals'];

/**
 * Chats a few people might have, until the signal aborts: streamed, with shared system prompts, so that prefix
 * caches have something to find. Resolves when the last of them has ended.
 */
export async function gentleLoad(
  url: string,
  models: readonly string[],
  { clock, random, log }: World,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  while (!signal.aborted) {
    if (running.size < MAX_IN_FLIGHT) {
      const chat = oneChat(url, pick(models), pick(TOPICS), 20 + Math.floor(random() * 160), signal)
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn('a request of the demo failed', { reason: reason(error) });
        })
        .finally(() => running.delete(chat));
      running.add(chat);
    }
    // Exponential pauses: arrivals of people who know nothing of each other.
    await clock.sleep(-Math.log(1 - random()) * MEAN_GAP_MS, signal).catch(() => {});
  }
  await Promise.all(running);
}

async function oneChat(
  url: string,
  model: string,
  topic: string,
  maxTokens: number,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream: true,
      max_tokens: maxTokens,
      messages: [
        {
          role: 'system',
          content: `${'You are a patient guide who explains things with care. '.repeat(20)}`,
        },
        { role: 'user', content: `Tell me something about ${topic}.` },
      ],
    }),
    signal,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`status ${answer.status}: ${text.slice(0, 200)}`);
}
