import { Ring } from '../kit/ring.ts';
import type { Choice } from '../routing/policy.ts';
import { sendText } from '../serving/answer.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Exchange } from '../serving/routes.ts';

/** Kept for a person who asks why; the oldest are forgotten. */
const KEPT_CHOICES = 1_000;

export function newChoices(): Ring<Choice> {
  return new Ring<Choice>(KEPT_CHOICES);
}

/** `GET /api/choices?limit=N`: newest first, one a line so that they can be told apart in a terminal. */
export function answerChoices({ url, response, requestId }: Exchange, choices: Ring<Choice>): void {
  const asked = url.searchParams.get('limit') ?? String(KEPT_CHOICES);
  if (!/^\d{1,6}$/.test(asked)) {
    throw new GatewayError('unsupported_parameter', `"limit" must be a whole number, 0 to ${KEPT_CHOICES}`, {
      param: 'limit',
    });
  }
  const newest = choices.toArray().reverse().slice(0, Number(asked));
  const lines = newest.map((choice) => JSON.stringify(choice)).join(',\n');
  sendText(response, 200, lines === '' ? '[]\n' : `[\n${lines}\n]\n`, 'application/json', {
    'x-request-id': requestId,
    'cache-control': 'no-store',
  });
}
