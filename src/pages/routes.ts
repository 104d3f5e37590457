import type { Route } from '../serving/routes.ts';
import type { PageDeps } from './deps.ts';
import { enginePage } from './engine.ts';
import { metricsRoutes } from './metrics.ts';
import { sdPage } from './sd.ts';

/** The path of a metric out: `/metrics`, `/metrics/prometheus`, `/engines/:name/metrics`, `/sd/prometheus`. */
export function pageRoutes(deps: PageDeps): readonly Route[] {
  return [...metricsRoutes(deps), enginePage(deps), sdPage(deps)];
}
