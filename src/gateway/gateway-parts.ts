import type { Fleet } from '../fleet/fleet.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import type { Ring } from '../kit/ring.ts';
import type { Choice, Policy } from '../routing/policy.ts';
import type { Readiness } from './admit.ts';
import type { Aliases } from './known-models.ts';
import type { GatewayMeter } from './meter.ts';
import type { Upstream } from './upstream.ts';

export interface GatewaySettings {
  readonly aliases: Aliases;
  readonly bodyBytes: number;
}

/** What the path of a request is made of. */
export interface GatewayParts {
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly meter: GatewayMeter;
  readonly upstream: Upstream;
  readonly choices: Ring<Choice>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: GatewaySettings;
  readonly readiness: () => Readiness;
}
