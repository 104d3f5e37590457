import type { EngineView } from '../fleet/engine-view.ts';
import { nameList } from '../kit/name-list.ts';
import { shorten } from '../kit/shorten.ts';
import { GatewayError } from '../serving/errors.ts';
import { type Aliases, knownModels } from './known-models.ts';

/** Why no engine is known to serve a model: "not found" only when every engine has told what it serves. */
export function nobodyServes(
  engines: readonly EngineView[],
  askedModel: string,
  aliases: Aliases,
): GatewayError {
  const asked = quoted(askedModel);
  const untold = engines.filter(({ listState }) => listState !== 'read');
  if (untold.some(({ listState }) => listState === 'unread')) {
    const why = nameList(untold.map((engine) => `${engine.name} (${whyUntold(engine)})`));
    return new GatewayError(
      'no_engine_available',
      `No engine that has told its models serves ${asked}; not known yet is what these serve: ${why}`,
      { param: 'model', retryAfterSeconds: 2 },
    );
  }
  if (untold.length > 0) {
    const names = nameList(untold.map(({ name }) => name));
    return new GatewayError(
      'engine_auth',
      `No engine that tells its models serves ${asked}, and the key that this gateway has is refused where these tell theirs: ${names}`,
      { param: 'model' },
    );
  }
  const known = knownModels(engines, aliases).map(({ id }) => id);
  const there = known.length === 0 ? 'no engine has any model' : `there are: ${nameList(known)}`;
  return new GatewayError('model_not_found', `No engine serves the model ${asked}; ${there}`, {
    param: 'model',
  });
}

/** A model's name as a client gave it. */
export function quoted(model: string): string {
  return JSON.stringify(shorten(model, 200));
}

function whyUntold({ health, listState }: EngineView): string {
  if (listState === 'key-refused') return 'it refuses the key of this gateway';
  if (health === 'up') return 'its model list cannot be read';
  return health === 'unknown' ? 'not reached yet' : health;
}
