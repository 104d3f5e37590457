import type { Clock } from '../kit/clock.ts';
import { type Log, reason } from '../kit/log.ts';
import type { Random } from '../kit/random.ts';

export interface LoadSettings {
  /** Of a gateway or an engine, without `/v1`. */
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** On average; the gaps between are those of people who know nothing of each other. */
  readonly requestsPerSecond: number;
  /** How long the answers may be at most: a number between these for each request. */
  readonly maxTokens: { readonly from: number; readonly to: number };
  /** Sent as a bearer key. */
  readonly key?: string;
}

export interface Load {
  /** Takes back what still runs; resolves when nothing does. */
  stop(): Promise<void>;
}

/** Beyond it a request is left out: a demo on a slow machine must not drown. */
const MAX_IN_FLIGHT = 16;
/** One in so many clients leaves before its answer is complete. */
const LEAVES_ONE_IN = 12;

const GUIDES = ['rivers', 'turbines', 'weather', 'gardens'].map(
  (topic) =>
    `You are a patient guide who knows much of ${topic}. ${'Explain with care, one thing after the other. '.repeat(6)}`,
);
const QUESTIONS = ['Where shall I begin?', 'Tell me more of that.', 'Why is it so?', 'What comes next?'];

/** Streamed chats with shared system prompts and a few turns, so that prefix caches have something to find. */
export function startLoad(
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
  settings: LoadSettings,
): Load {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const drive = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (running.size < MAX_IN_FLIGHT) {
        const chat = oneChat(random, settings, stopping.signal)
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) log.warn('a request of the load failed', { reason: reason(error) });
          })
          .finally(() => running.delete(chat));
        running.add(chat);
      }
      const gapMs = (-Math.log(1 - random()) * 1000) / settings.requestsPerSecond;
      await clock.sleep(gapMs, stopping.signal).catch(() => {});
    }
  };
  const driving = drive();
  return {
    async stop() {
      stopping.abort();
      await driving;
      await Promise.all(running);
    },
  };
}

async function oneChat(random: Random, settings: LoadSettings, stopped: AbortSignal): Promise<void> {
  const { baseUrl, models, maxTokens, key } = settings;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const leave = new AbortController();
  const leaves = Math.floor(random() * LEAVES_ONE_IN) === 0;
  const turns = QUESTIONS.slice(0, 1 + Math.floor(random() * QUESTIONS.length));
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model: pick(models),
      stream: true,
      max_tokens: Math.floor(maxTokens.from + random() * (maxTokens.to - maxTokens.from + 1)),
      messages: [
        { role: 'system', content: pick(GUIDES) },
        ...turns.map((content) => ({ role: 'user', content })),
      ],
    }),
    signal: AbortSignal.any([stopped, leave.signal]),
  });
  if (!response.ok) throw new Error(`status ${response.status}: ${(await response.text()).slice(0, 200)}`);
  let chunks = 0;
  try {
    for await (const _ of response.body ?? []) {
      chunks += 1;
      if (leaves && chunks > 5) leave.abort();
    }
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  }
}
