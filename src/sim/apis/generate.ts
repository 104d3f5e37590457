import type { Generation } from '../driver.ts';
import type { AnswerManner } from './answer-manner.ts';
import { type ApiContext, wallSeconds } from './api.ts';
import type { Exchange } from './exchange.ts';
import { resultOf, tokensOf } from './outcome.ts';
import { type LengthRules, type Plan, planWork } from './plan.ts';
import { RequestProblem } from './problem.ts';
import type { GenerationRequest } from './read-request.ts';
import { withAdapter } from './served-models.ts';
import { openStream, streamAnswer } from './stream-answer.ts';

/** Plans, computes and answers one request. @throws RequestProblem before anything was sent */
export async function generate(
  context: ApiContext,
  exchange: Exchange,
  request: GenerationRequest,
  rules: LengthRules,
  mannerOf: (started: { id: string; created: number; stream: boolean }) => AnswerManner,
): Promise<void> {
  const planned = planWork(request, rules, context);
  const plan = { ...planned, work: withAdapter(planned.work, context, request.model) };
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
    for await (const _ of tokensOf(generation));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RequestProblem({ type: 'engine-failed', message });
  }
  if (exchange.signal.aborted) return;
  exchange.json(200, manner.body(resultOf(plan, generation.life)));
}
