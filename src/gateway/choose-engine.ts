import type { Engine } from '../fleet/engine.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { Prepared } from './prepare.ts';
import { routeRequest } from './route.ts';

export interface Asking {
  readonly requestId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Names of engines that were tried. */
  readonly tried: ReadonlySet<string>;
  /** An engine that was tried can take it again, so another must be ready now. */
  readonly atOnce: boolean;
}

/**
 * The engine for the next attempt; undefined when all that could were tried. The choice is kept with its numbers.
 * @throws GatewayError `model_not_found`, `no_engine_available`
 */
export function chooseEngine(
  { fleet, policy, settings, meter, choices, clock }: GatewayParts,
  { askedModel, facts, api }: Prepared,
  { requestId, attempt, tried, atOnce }: Asking,
): Engine | undefined {
  const engines = fleet.snapshot();
  const { aliases } = settings;
  const routed = routeRequest(policy, { engines, facts, api, askedModel, aliases, tried, atOnce });
  if (routed === undefined) return undefined;
  const { engine, reason, candidates, excluded } = routed;
  meter.choice(policy.name, reason);
  choices.push({
    at: clock.wallTime(),
    requestId,
    model: askedModel,
    policy: policy.name,
    engine: engine.name,
    reason,
    attempt,
    candidates,
    excluded,
  });
  return fleet.get(engine.name);
}
