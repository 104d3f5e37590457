import type { Generation } from '../driver.ts';
import type { AnswerManner } from './answer-manner.ts';
import type { ApiContext } from './api.ts';
import type { Exchange } from './exchange.ts';
import { finishAt, resultOf, tokensOf, usageOf } from './outcome.ts';
import { type Ping, startPing } from './ping.ts';
import type { Plan } from './plan.ts';
import { RequestProblem } from './problem.ts';

export interface Streaming {
  readonly generation: Generation;
  readonly plan: Plan;
  readonly manner: AnswerManner;
}

/** Sends a generation as it comes. @throws RequestProblem when it fails before anything was sent */
export async function streamAnswer(
  context: ApiContext,
  exchange: Exchange,
  { generation, plan, manner }: Streaming,
): Promise<void> {
  const { answer } = exchange;
  const { stream } = manner;
  const { life } = generation;
  let sent = 0;
  let ping = stream.headAt === 'accepted' ? pingOf(context, exchange, manner) : undefined;
  try {
    for await (const { count } of tokensOf(generation)) {
      const begin = sent === 0 ? stream.begin(usageOf(life, 0)) : '';
      if (sent === 0 && stream.headAt === 'first output') {
        openStream(exchange, manner);
        ping = pingOf(context, exchange, manner);
      }
      const text = plan.answer.slice(sent, sent + count).join('');
      sent += count;
      const token = stream.token({ text, finish: finishAt(plan, sent), usage: usageOf(life, sent) });
      await answer.write(`${begin}${token}`);
      ping?.touch();
    }
  } catch (error) {
    if (exchange.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    if (sent === 0 && stream.headAt === 'first output') {
      throw new RequestProblem({ type: 'engine-failed', message });
    }
    if (stream.failed === undefined) answer.cut();
    else answer.end(stream.failed(message));
    return;
  } finally {
    ping?.stop();
  }
  // The client left: there is nobody to tell.
  if (exchange.signal.aborted) return;
  const result = resultOf(plan, life);
  const given =
    result.finish === 'abort' ? stream.token({ text: '', finish: 'abort', usage: result.usage }) : '';
  answer.end(`${given}${stream.end(result)}`);
}

export function openStream({ answer, manner }: Exchange, { stream }: AnswerManner): void {
  answer.head(200, { ...manner.headers, ...stream.headers });
}

function pingOf(
  { clock, speed }: ApiContext,
  { answer }: Exchange,
  { stream: { ping } }: AnswerManner,
): Ping | undefined {
  if (ping === undefined) return undefined;
  return startPing(clock, ping.everyMs / speed, () => void answer.write(ping.text));
}
