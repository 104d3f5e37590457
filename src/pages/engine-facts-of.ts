import type { Engine } from '../fleet/engine.ts';
import type { EngineFacts } from '../metrics/engine-facts.ts';

export function engineFactsOf(engine: Engine): EngineFacts {
  const view = engine.view();
  const { scrapes, failures, restarts, lastDurationMs } = engine.counts;
  return {
    name: engine.name,
    runtime: engine.runtime,
    kind: view.kind,
    up: view.health === 'up',
    scrapeAgeMs: engine.scrapeAgeMs,
    lastDurationMs,
    scrapes,
    failures,
    restarts,
    contract: view.contract,
    missing: engine.missing,
    inFlight: view.inFlight,
    breaker: view.breaker,
    faults: engine.faults,
    version: engine.identity?.version,
    certainty: engine.identity?.certainty,
    kvCapacityTokens: view.signals?.kvCapacityTokens,
  };
}
