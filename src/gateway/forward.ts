import type { Engine } from '../fleet/engine.ts';
import type { Lease } from '../fleet/lease.ts';
import { reason } from '../kit/log.ts';
import { afterAttempt, type Decision, noHistory, type Outcome, withAttempt } from '../routing/retry.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Exchange } from '../serving/routes.ts';
import type { Admitted } from './admit.ts';
import { type Attempted, attempt } from './attempt.ts';
import { chooseEngine } from './choose-engine.ts';
import { failureOf } from './failure-of.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { nobodyHas } from './nobody-has.ts';
import { prepare } from './prepare.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** An engine's answer that goes to the client. */
export interface Forwarded {
  readonly engine: Engine;
  readonly servedModel: string;
  readonly answer: UpstreamAnswer;
  readonly lease: Lease;
  /** Which row of the retry table it is. */
  readonly answered: Outcome['kind'];
}

/**
 * Tries engines until one's answer is fit for the client: the only place that knows of trying again.
 * Whoever gets the answer destroys its body when it is over, whatever became of it.
 * @throws GatewayError when there is none; then nothing is left open
 */
export async function forward(
  parts: GatewayParts,
  exchange: Exchange,
  admitted: Admitted,
  onAttempt: (engine: Engine, attempts: number) => void,
): Promise<Forwarded> {
  const prepared = prepare(parts.settings.aliases, exchange, admitted);
  const { model } = prepared.facts;
  const { requestId } = exchange;
  const tried = new Set<string>();
  let history = noHistory;
  /** Takes the request on a fresh connection when no other engine does. */
  let again: Engine | undefined;
  let cause: Decision['cause'];
  /** What the client gets when no engine is left: the last answer, or why there is none. */
  let last: (Forwarded & Pick<Attempted, 'isWhole'>) | undefined;
  let failure = new GatewayError('internal', 'No attempt was made');

  try {
    for (let count = 1; ; count += 1) {
      const asking = { requestId, attempt: count, tried, atOnce: again !== undefined };
      const engine = chooseEngine(parts, prepared, asking) ?? again;
      if (engine === undefined) break;
      // A connection is not kept for an answer that is hardly ever wanted again.
      if (last?.isWhole === false) {
        last.answer.body.destroy();
        last = undefined;
      }
      onAttempt(engine, count);
      if (cause !== undefined) parts.meter.retry(cause);
      const attempted = await attempt(parts, engine, exchange, {
        model,
        body: prepared.body,
        via: admitted.via,
        fresh: again !== undefined,
      });
      const { outcome, answer, lease, isWhole } = attempted;
      const decision = afterAttempt(outcome, history);
      history = withAttempt(history, outcome);
      cause = decision.cause;
      note(parts, requestId, engine, attempted, decision);

      if (decision.otherwise !== 'last-answer') {
        failure = failureOf(decision.otherwise, engine, attempted);
        answer?.body.destroy();
      } else if (answer !== undefined) {
        last?.answer.body.destroy();
        last = { engine, servedModel: model, answer, lease, answered: outcome.kind, isWhole };
      }
      if (decision.then === 'stop') throw failure;
      if (decision.then === 'answer' || decision.then === 'fail') break;
      again = decision.then === 'fresh-connection' ? engine : undefined;
      tried.add(engine.name);
    }
    if (exchange.signal.aborted)
      throw new GatewayError('client_left', 'The client left before an answer began');
    if (last === undefined) throw failure;
    const absent = nobodyHas(last, prepared, exchange.url.pathname);
    if (absent !== undefined) throw absent;
    const kept = last;
    last = undefined;
    return kept;
  } finally {
    last?.answer.body.destroy();
  }
}

/** Tells engine and log what an attempt came to. */
function note(
  { log, relook }: GatewayParts,
  requestId: string,
  engine: Engine,
  { outcome, lease, failure, answer }: Attempted,
  { then, fault }: Decision,
): void {
  if (outcome.kind === 'fine') lease.answered();
  if (outcome.kind === 'nothing-sent') engine.reportUnreachable(reason(failure));
  if (outcome.kind === 'model-gone') relook(engine);
  if (fault !== undefined) lease.faulted(fault);
  if (then === 'answer' || then === 'stop') return;
  const level = outcome.kind === 'own-limit' ? 'error' : fault === undefined ? 'debug' : 'warn';
  log[level]('attempt failed', {
    requestId,
    engine: engine.name,
    outcome: outcome.kind,
    status: answer?.status,
    reason: failure?.message,
  });
}
