import type { Generation } from '../driver.ts';
import type { Life } from '../life.ts';
import type { Headers } from './answer.ts';
import { type ApiContext, wallSeconds } from './api.ts';
import type { Exchange } from './exchange.ts';
import { type Ping, startPing } from './ping.ts';
import { type LengthRules, type Plan, planWork } from './plan.ts';
import { RequestProblem } from './problem.ts';
import type { GenerationRequest } from './read-request.ts';

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}

/** One output token on its way to the client. */
export interface StreamToken {
  /** Empty for an end token. */
  readonly text: string;
  /** On the last one. */
  readonly finish: 'stop' | 'length' | undefined;
  readonly usage: Usage;
}

/** What a finished answer is made of. */
export interface Result {
  readonly text: string;
  readonly finish: 'stop' | 'length';
  readonly usage: Usage;
  readonly life: Readonly<Life>;
}

/** One kind's way to say an answer. Events are complete texts, blank line included. */
export interface AnswerManner {
  readonly body: (result: Result) => unknown;
  readonly stream: {
    readonly headers: Headers;
    /** When the head goes out: when the request is taken, or with the first output. */
    readonly headAt: 'accepted' | 'first output';
    readonly accepted?: () => string;
    /** Just before the first token. */
    readonly begin: (usage: Usage) => string;
    readonly token: (token: StreamToken) => string;
    readonly end: (result: Result) => string;
    /** Written after that much silence, once the head is out. */
    readonly ping?: { readonly everyMs: number; readonly text: string };
    /** When the engine fails in the middle; absent: the connection is cut. */
    readonly failed?: (message: string) => string;
  };
}

/** Plans, computes and answers one request. @throws RequestProblem before anything was sent */
export async function generate(
  context: ApiContext,
  exchange: Exchange,
  request: GenerationRequest,
  rules: LengthRules,
  mannerOf: (started: { id: string; created: number; stream: boolean }) => AnswerManner,
): Promise<void> {
  const plan = planWork(request, rules, context);
  const started = { id: context.newId(32), created: wallSeconds(context.clock), stream: request.stream };
  const manner = mannerOf(started);
  // vLLM and others send the head long before the engine looks at the request.
  if (request.stream && manner.stream.headAt === 'accepted') {
    openStream(exchange, manner);
    if (manner.stream.accepted !== undefined) await exchange.answer.write(manner.stream.accepted());
  }
  const generation = await context.driver.submit(plan.work);
  const leave = (): void => generation.abort();
  exchange.signal.addEventListener('abort', leave, { once: true });
  if (exchange.signal.aborted) leave();
  try {
    if (request.stream) await streamAnswer(context, exchange, { generation, plan, manner });
    else await plainAnswer(exchange, generation, plan, manner);
  } finally {
    exchange.signal.removeEventListener('abort', leave);
    leave();
  }
}

async function plainAnswer(
  exchange: Exchange,
  generation: Generation,
  plan: Plan,
  manner: AnswerManner,
): Promise<void> {
  try {
    for await (const event of generation.events) {
      if (event.type === 'finished' && event.reason === 'abort') return;
    }
  } catch (error) {
    throw new RequestProblem({ type: 'engine-failed', message: messageOf(error) });
  }
  exchange.json(200, manner.body(resultOf(plan, generation.life)));
}

interface Streaming {
  readonly generation: Generation;
  readonly plan: Plan;
  readonly manner: AnswerManner;
}

async function streamAnswer(
  context: ApiContext,
  exchange: Exchange,
  { generation, plan, manner }: Streaming,
): Promise<void> {
  const { answer } = exchange;
  const { stream } = manner;
  let sent = 0;
  let ping = stream.headAt === 'accepted' ? pingOf(context, exchange, manner) : undefined;
  try {
    for await (const event of generation.events) {
      if (event.type === 'finished' && event.reason === 'abort') return;
      if (event.type !== 'tokens') continue;
      const text: string[] = [];
      if (sent === 0) {
        if (stream.headAt === 'first output') {
          openStream(exchange, manner);
          ping = pingOf(context, exchange, manner);
        }
        text.push(stream.begin(usageOf(generation.life, 0)));
      }
      for (let count = 0; count < event.count; count += 1, sent += 1) {
        text.push(stream.token(tokenAt(plan, generation.life, sent)));
      }
      await answer.write(text.join(''));
      ping?.touch();
    }
  } catch (error) {
    if (exchange.signal.aborted) return;
    if (sent === 0 && stream.headAt === 'first output') {
      throw new RequestProblem({ type: 'engine-failed', message: messageOf(error) });
    }
    if (stream.failed === undefined) answer.cut();
    else answer.end(stream.failed(messageOf(error)));
    return;
  } finally {
    ping?.stop();
  }
  answer.end(stream.end(resultOf(plan, generation.life)));
}

function pingOf(
  { clock, speed }: ApiContext,
  { answer }: Exchange,
  { stream: { ping } }: AnswerManner,
): Ping | undefined {
  if (ping === undefined) return undefined;
  return startPing(clock, ping.everyMs / speed, () => void answer.write(ping.text));
}

function openStream({ answer, manner }: Exchange, { stream }: AnswerManner): void {
  answer.head(200, { ...manner.headers, ...stream.headers });
}

function tokenAt(plan: Plan, life: Readonly<Life>, at: number): StreamToken {
  const last = at === plan.answer.length - 1;
  return {
    text: plan.answer[at] ?? '',
    finish: last ? plan.work.finishReason : undefined,
    usage: usageOf(life, at + 1),
  };
}

function resultOf(plan: Plan, life: Readonly<Life>): Result {
  return {
    text: plan.answer.join(''),
    finish: plan.work.finishReason,
    usage: usageOf(life, plan.answer.length),
    life,
  };
}

function usageOf(life: Readonly<Life>, completionTokens: number): Usage {
  return { promptTokens: life.work.promptTokens, completionTokens, cachedTokens: life.cachedTokens };
}

/** One server-sent event. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
