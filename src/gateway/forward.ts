import type { Engine } from '../fleet/engine.ts';
import { reason } from '../kit/log.ts';
import { withModel } from '../openai/request.ts';
import { afterAttempt, type Decision, type FailureCode, noHistory } from '../routing/retry.ts';
import { sessionKeyOf } from '../routing/session-key.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Exchange } from '../serving/routes.ts';
import type { Admitted } from './admit.ts';
import { type Attempted, attempt } from './attempt.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { servedName } from './known-models.ts';
import { type Routed, routeRequest } from './route.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** An engine's answer that goes to the client: head read, body unread. */
export interface Forwarded {
  readonly engine: Engine;
  readonly servedModel: string;
  readonly answer: UpstreamAnswer;
  /** Call when the answer is over, whatever became of it. */
  readonly release: () => void;
}

/**
 * Tries engines until one's answer is fit for the client: the only place that knows of trying again.
 * @throws GatewayError when there is none; then nothing is left open
 */
export async function forward(
  parts: GatewayParts,
  exchange: Exchange,
  admitted: Admitted,
  onAttempt: (engine: Engine, attempts: number) => void,
): Promise<Forwarded> {
  const { fields } = admitted;
  const servedModel = servedName(parts.settings.aliases, fields.model);
  const body = servedModel === fields.model ? admitted.body : withModel(admitted.body, servedModel);
  const sessionHeader = exchange.request.headers['x-session-id'];
  const facts = {
    model: servedModel,
    sessionKey: sessionKeyOf(typeof sessionHeader === 'string' ? sessionHeader : undefined, fields),
  };
  const tried = new Set<string>();
  let history = noHistory;
  let attempts = 0;
  let again: Engine | undefined;
  /** A busy engine's answer, kept in case all are busy. */
  let busy: Forwarded | undefined;
  let failure: GatewayError | undefined;
  let cause: Decision['cause'];

  try {
    for (;;) {
      const fresh = again !== undefined;
      const engine = again ?? choose();
      if (engine === undefined) break;
      again = undefined;
      attempts += 1;
      if (cause !== undefined) parts.meter.retry(cause);
      const end = engine.begin();
      let kept = false;
      try {
        onAttempt(engine, attempts);
        const attempted = await attempt(parts.upstream, engine, exchange, { body, fresh });
        const verdict = afterAttempt(attempted.outcome, history);
        const { answer } = attempted;
        noteAttempt(engine, attempted, verdict);
        cause = verdict.cause;
        if (verdict.action === 'answer' && answer !== undefined) {
          kept = true;
          return forwarded(engine, answer, end);
        }
        if (answer !== undefined && verdict.otherwise === 'last-answer') {
          kept = true;
          busy?.release();
          busy = forwarded(engine, answer, end);
        } else if (verdict.otherwise !== 'last-answer') {
          if (answer !== undefined) discard(answer);
          failure = failureOf(verdict.otherwise, engine, attempted);
        }
        if (verdict.action === 'stop' || verdict.action === 'fail') break;
        if (verdict.action === 'retry-same') {
          history = { reusedSocketDeaths: history.reusedSocketDeaths + 1 };
          again = engine;
        } else tried.add(engine.name);
        if (verdict.delayMs > 0) await parts.clock.sleep(verdict.delayMs, exchange.signal);
      } finally {
        if (!kept) end();
      }
    }
    const last = busy;
    busy = undefined;
    if (last !== undefined && !exchange.signal.aborted) return last;
    last?.release();
    throw failure ?? new GatewayError('internal', 'No attempt was made');
  } finally {
    busy?.release();
  }

  function choose(): Engine | undefined {
    const routed = routeRequest(parts.policy, {
      engines: parts.fleet.snapshot(),
      facts,
      askedModel: fields.model,
      aliases: parts.settings.aliases,
      tried,
    });
    if (routed === undefined) return undefined;
    noteChoice(routed);
    return parts.fleet.get(routed.engine.name);
  }

  function forwarded(engine: Engine, answer: UpstreamAnswer, end: () => void): Forwarded {
    // The engine is done when its answer was read to the end, even if a slow client still has some to take.
    answer.body.once('close', end);
    const release = (): void => {
      discard(answer);
      end();
    };
    return { engine, servedModel, answer, release };
  }

  function noteChoice({ engine, reason: why, candidates, excluded }: Routed): void {
    parts.meter.choice(parts.policy.name, why);
    parts.choices.push({
      at: parts.clock.wallTime(),
      requestId: exchange.requestId,
      model: fields.model,
      policy: parts.policy.name,
      engine: engine.name,
      reason: why,
      attempt: attempts + 1,
      candidates,
      excluded,
    });
  }

  function noteAttempt(
    engine: Engine,
    { outcome, failure: why, answer }: Attempted,
    verdict: Decision,
  ): void {
    if (verdict.action === 'answer' || verdict.action === 'stop') return;
    if (outcome.kind === 'nothing-sent') engine.reportUnreachable(reason(why));
    parts.log[verdict.countsAgainstEngine ? 'warn' : 'debug']('attempt failed', {
      requestId: exchange.requestId,
      engine: engine.name,
      outcome: outcome.kind,
      status: answer?.status,
      reason: why?.message,
    });
  }
}

function failureOf(code: FailureCode, engine: Engine, { failure, answer }: Attempted): GatewayError {
  const { name } = engine;
  switch (code) {
    case 'engine_unreachable':
      return new GatewayError(code, `No connection to the engine ${name}`, { cause: failure });
    case 'engine_failed':
      return new GatewayError(code, `The engine ${name} closed the connection before its answer began`, {
        cause: failure,
      });
    case 'engine_auth':
      return new GatewayError(
        code,
        `The engine ${name} refuses the key this gateway has for it (status ${answer?.status}); its operator must correct "key" of that engine`,
      );
    case 'client_left':
      return new GatewayError(code, 'The client left before an answer began');
  }
}

/** Reading a short rest keeps the connection; a long one is not worth it. */
const WORTH_READING_BYTES = 65_536;

function discard({ body }: UpstreamAnswer): void {
  body.on('error', () => {});
  if (body.destroyed || body.readableFlowing !== null) {
    body.destroy();
    return;
  }
  let bytes = 0;
  body.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > WORTH_READING_BYTES) body.destroy();
  });
}
