import type { Fleet } from '../fleet/fleet.ts';
import type { Clock } from '../kit/clock.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Translator } from '../metrics/translator.ts';

export interface PageSettings {
  /** Most engine series on the fleet's page; above it the fleet is left out and the page says so. */
  readonly fleetPageSeries: number;
  /** How others reach the gateway; may have a path. */
  readonly publicUrl: string | undefined;
  /** Whether the router let only known Host headers through, so that addresses may be made from them. */
  readonly hostChecked: boolean;
  /** What the listener itself speaks. */
  readonly scheme: 'http' | 'https';
}

export interface PageDeps {
  readonly fleet: Fleet;
  readonly metrics: GatewayMetrics;
  readonly translator: Translator;
  readonly clock: Clock;
  readonly settings: PageSettings;
}
