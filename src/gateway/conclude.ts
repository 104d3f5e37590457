import type { FaultCause } from '../fleet/lease.ts';
import { GatewayError } from '../serving/errors.ts';
import { EngineLost } from './engine-lost.ts';
import type { Forwarded } from './forward.ts';
import type { Served } from './serve-answer.ts';

/**
 * Tells the engine what became of an answer whose head was out, and returns what is written in the log and counted as
 * an error; the client has been told already, or has all bytes that there are.
 */
export function conclude({ engine, lease, answered }: Forwarded, served: Served): GatewayError | undefined {
  const fine = answered === 'fine';
  const { outcome, ending, cause } = served;
  const broke = (fault: FaultCause, how: string): GatewayError => {
    // What was judged as an error by its head has been counted.
    if (fine) lease.faulted(fault);
    return new GatewayError('engine_broke_stream', `The engine ${engine.name} ${how}`, { cause });
  };
  if (outcome === 'client-left') {
    return new GatewayError('client_left', 'The client left in the middle of the answer');
  }
  if (outcome === 'engine-broke') {
    return cause instanceof EngineLost
      ? broke('declared_dead', 'was given up by its health checks in the middle of its answer')
      : broke('broke_off', 'broke off in the middle of its answer');
  }
  if (ending === 'unfinished') return broke('unfinished', 'ended its answer without finishing it');
  if (ending === 'failed') return broke('error_event', 'said in its stream that it failed');
  if (fine) lease.succeeded();
  return undefined;
}
