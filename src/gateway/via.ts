import { GatewayError } from '../serving/errors.ts';

/** Names the gateways that a request came through, in order, each by an id that it drew when it started. */
export const VIA = 'x-penstock-via';

/** Gateways in front of one another are few; more than this is a loop through something that drops our ids. */
const MAX_GATEWAYS = 8;

/**
 * What the request carries on from here.
 * @param came `x-penstock-via` as the request has it
 * @throws GatewayError `loop_detected`
 */
export function viaWith(came: string | readonly string[] | undefined, ownId: string): string {
  const before = (typeof came === 'string' ? came : (came ?? []).join(','))
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (before.includes(ownId)) {
    throw new GatewayError(
      'loop_detected',
      'The request came back to this gateway: the address of one of its engines, or of theirs, is its own',
    );
  }
  if (before.length >= MAX_GATEWAYS) {
    throw new GatewayError(
      'loop_detected',
      `The request came through ${before.length} gateways, and at most ${MAX_GATEWAYS} are allowed`,
    );
  }
  return [...before, ownId].join(', ');
}
