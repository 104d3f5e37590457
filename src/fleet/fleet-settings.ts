import { type BreakerSettings, defaultBreakerSettings } from './breaker.ts';
import { MISSES_UNTIL_DOWN } from './contact.ts';

export interface FleetSettings {
  /** Failed looks in a row after which an engine is down. */
  readonly misses: number;
  /** How long it takes a new or returning engine to get its full share. */
  readonly slowStartMs: number;
  readonly breaker: BreakerSettings;
}

export const defaultFleetSettings: FleetSettings = {
  misses: MISSES_UNTIL_DOWN,
  slowStartMs: 30_000,
  breaker: defaultBreakerSettings,
};
