import type { Engine } from '../fleet/engine.ts';
import type { FailureCode } from '../routing/retry.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Attempted } from './attempt.ts';

/** What the client is told when an attempt was the last and there is no answer to pass on. */
export function failureOf(code: FailureCode, { name }: Engine, attempted: Attempted): GatewayError {
  const { outcome, failure, answer } = attempted;
  const cause = failure;
  switch (code) {
    case 'engine_unreachable':
      return new GatewayError(code, `No connection to the engine ${name}`, { cause });
    case 'gateway_exhausted':
      return new GatewayError(code, 'This gateway cannot open another connection; ask again in a moment', {
        cause,
        retryAfterSeconds: 1,
      });
    case 'engine_failed': {
      const how =
        outcome.kind === 'declared-dead'
          ? 'stopped answering while the request waited for it'
          : 'closed the connection before its answer began';
      return new GatewayError(code, `The engine ${name} ${how}`, { cause });
    }
    case 'engine_auth':
      return new GatewayError(
        code,
        `The engine ${name} refuses the key this gateway has for it (status ${answer?.status}); its operator must correct "key" of that engine`,
      );
    case 'client_left':
      return new GatewayError(code, 'The client left before an answer began');
  }
}
