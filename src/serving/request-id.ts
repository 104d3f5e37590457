import type { IncomingHttpHeaders } from 'node:http';

import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';

/** Printable ASCII without space and quotes, at most 128: it goes into headers and log lines as it is. */
const ACCEPTABLE = /^[!#-&(-~]{1,128}$/;

/** The client's own `x-request-id` where it can be carried safely, else a fresh one. */
export function requestIdOf(headers: IncomingHttpHeaders, fresh: () => string): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && ACCEPTABLE.test(own) ? own : fresh();
}

/** `req-` and 16 base-32 digits: enough to tell requests apart in a log, not a secret. */
export function freshRequestId(random: Random): string {
  return `req-${drawn(random)}`;
}

/** Of a process: with the time, so that two of one seed differ. */
export function freshInstanceId(random: Random, clock: Clock): string {
  return `${Math.floor(clock.wallTime()).toString(36)}-${drawn(random)}`;
}

function drawn(random: Random): string {
  let digits = '';
  while (digits.length < 16) {
    digits += Math.floor(random() * 2 ** 20)
      .toString(32)
      .padStart(4, '0');
  }
  return digits;
}
