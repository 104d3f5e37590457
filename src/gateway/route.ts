import type { EngineView } from '../fleet/engine-view.ts';
import { nameList } from '../kit/name-list.ts';
import { type Exclusion, filterEngines, servingEngines, type Wanted } from '../routing/filters.ts';
import { loadOf } from '../routing/load.ts';
import type { CandidateRecord, Candidates, Pick, Policy, RequestFacts } from '../routing/policy.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Aliases } from './known-models.ts';
import { nobodyServes, quoted } from './nobody-serves.ts';

/** Where a request goes and why. */
export interface Routed extends Pick {
  readonly candidates: readonly CandidateRecord[];
  readonly excluded: readonly Exclusion[];
}

export interface RoutingInput {
  readonly engines: readonly EngineView[];
  /** `model` as engines know it. */
  readonly facts: RequestFacts;
  readonly api: Wanted['api'];
  /** As the client asked for it. */
  readonly askedModel: string;
  readonly aliases: Aliases;
  readonly tried: ReadonlySet<string>;
  /** An engine that was tried can take it again, so another must be ready now. */
  readonly atOnce?: boolean;
}

/**
 * One engine of those that can serve the request; undefined when all that could were tried.
 * @throws GatewayError `model_not_found`, `no_engine_available`, `engine_auth`
 */
export function routeRequest(policy: Policy, input: RoutingInput): Routed | undefined {
  const { engines, facts, api, tried, atOnce = false } = input;
  const serving = servingEngines(engines, facts.model);
  if (serving.length === 0 && tried.size === 0) throw nobodyServes(engines, input.askedModel, input.aliases);
  const { candidates, excluded } = filterEngines(serving, { model: facts.model, api, atOnce }, tried);
  const [first, ...others] = candidates;
  if (first === undefined) {
    if (tried.size > 0) return undefined;
    throw noneAvailable(input.askedModel, excluded);
  }
  const all: Candidates = [first, ...others];
  return { ...policy.pick(all, facts), candidates: all.map(recorded), excluded };
}

function recorded(engine: EngineView): CandidateRecord {
  return {
    engine: engine.name,
    load: loadOf(engine),
    running: engine.signals?.running,
    waiting: engine.signals?.waiting,
    kvUsage: engine.signals?.kvUsage,
    inFlight: engine.inFlight,
    sentSinceReport: engine.sentSinceReport,
    finishedSinceReport: engine.finishedSinceReport,
    signalsAgeMs: engine.signalsAgeMs,
    contract: engine.contract,
    health: engine.health,
    breaker: engine.breaker,
    share: engine.share,
  };
}

function noneAvailable(askedModel: string, excluded: readonly Exclusion[]): GatewayError {
  const why = nameList(excluded.map(({ engine, reason }) => `${engine} is ${reason}`));
  return new GatewayError(
    'no_engine_available',
    `No engine can serve the model ${quoted(askedModel)} now: ${why}`,
    { retryAfterSeconds: 2 },
  );
}
