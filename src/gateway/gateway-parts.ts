import type { Engine } from '../fleet/engine.ts';
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
  /** How long the head of an answer is held for its first event or byte; 0: not at all. */
  readonly headAfterMs: number;
}

/** What the path of a request is made of. */
export interface GatewayParts {
  /** Tells this process from every other gateway: what a request has that was here. */
  readonly instanceId: string;
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly meter: GatewayMeter;
  readonly upstream: Upstream;
  readonly choices: Ring<Choice>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: GatewaySettings;
  readonly readiness: () => Readiness;
  /** Reads the engine's models again, soon: it did not know one that it had listed. */
  readonly relook: (engine: Engine) => void;
}
