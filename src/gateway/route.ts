import type { EngineView } from '../fleet/engine-view.ts';
import { type Exclusion, filterEngines, servingEngines } from '../routing/filters.ts';
import { loadOf } from '../routing/load.ts';
import type { CandidateRecord, Candidates, Pick, Policy, RequestFacts } from '../routing/policy.ts';
import { GatewayError } from '../serving/errors.ts';
import { type Aliases, knownModels } from './known-models.ts';

/** Where a request goes and why. */
export interface Routed extends Pick {
  readonly candidates: readonly CandidateRecord[];
  readonly excluded: readonly Exclusion[];
}

export interface RoutingInput {
  readonly engines: readonly EngineView[];
  /** `model` as engines know it. */
  readonly facts: RequestFacts;
  /** As the client asked for it. */
  readonly askedModel: string;
  readonly aliases: Aliases;
  readonly tried: ReadonlySet<string>;
}

/**
 * One engine of those that can serve the request; undefined when all that could were tried.
 * @throws GatewayError `model_not_found`, `no_engine_available`
 */
export function routeRequest(policy: Policy, input: RoutingInput): Routed | undefined {
  const { engines, facts, tried } = input;
  const serving = servingEngines(engines, facts.model);
  if (serving.length === 0 && tried.size === 0) throw nobodyServes(input);
  const { candidates, excluded } = filterEngines(serving, facts.model, tried);
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
    signalsAgeMs: engine.signalsAgeMs,
    contract: engine.contract,
    health: engine.health,
    breaker: engine.breaker,
    share: engine.share,
  };
}

const SHOWN_MODELS = 20;

function nobodyServes({ engines, askedModel, aliases }: RoutingInput): GatewayError {
  // An engine that has not told its models yet may well serve this one: that is no reason to say "not found".
  const starting = engines.filter(
    ({ models, health }) => models.length === 0 && (health === 'unknown' || health === 'loading'),
  );
  const asked = quoted(askedModel);
  if (starting.length > 0) {
    return new GatewayError(
      'no_engine_available',
      `No engine that has answered so far serves the model ${asked}; still starting: ${names(starting.map(({ name }) => name))}`,
      { param: 'model', retryAfterSeconds: 2 },
    );
  }
  const known = knownModels(engines, aliases).map(({ id }) => id);
  const there = known.length === 0 ? 'no engine has told of any model yet' : `there are: ${names(known)}`;
  return new GatewayError('model_not_found', `No engine serves the model ${asked}; ${there}`, {
    param: 'model',
  });
}

function noneAvailable(askedModel: string, excluded: readonly Exclusion[]): GatewayError {
  const why = names(excluded.map(({ engine, reason }) => `${engine} is ${reason}`));
  return new GatewayError(
    'no_engine_available',
    `No engine can serve the model ${quoted(askedModel)} now: ${why}`,
    { retryAfterSeconds: 2 },
  );
}

function names(all: readonly string[]): string {
  const more = all.length - SHOWN_MODELS;
  return all.slice(0, SHOWN_MODELS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function quoted(model: string): string {
  return JSON.stringify(model.length > 200 ? `${model.slice(0, 200)}\u2026` : model);
}
