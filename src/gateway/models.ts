import type { Fleet } from '../fleet/fleet.ts';
import type { ModelCard, ModelList } from '../openai/models-list.ts';
import { sendJson } from '../serving/answer.ts';
import type { Exchange } from '../serving/routes.ts';
import { type Aliases, type KnownModel, knownModels } from './known-models.ts';
import { nobodyServes } from './nobody-serves.ts';

/** What can be asked for now: models of engines that are down are not listed. */
function listModels(fleet: Fleet, aliases: Aliases): ModelList {
  const there = fleet.snapshot().filter(({ health }) => health !== 'down');
  return { object: 'list', data: knownModels(there, aliases).map(card) };
}

export function answerModels({ response, requestId }: Exchange, fleet: Fleet, aliases: Aliases): void {
  sendJson(response, 200, listModels(fleet, aliases), { 'x-request-id': requestId });
}

/** `GET /v1/models/{id}`; ids contain slashes, sent as they are or encoded. */
export function answerModel({ response, params, requestId }: Exchange, fleet: Fleet, aliases: Aliases): void {
  const asked = decoded(params['*'] ?? '');
  const found = listModels(fleet, aliases).data.find(({ id }) => id === asked);
  if (found === undefined) throw nobodyServes(fleet.snapshot(), asked, aliases);
  sendJson(response, 200, found, { 'x-request-id': requestId });
}

function card({ id, engine, served }: KnownModel): ModelCard {
  return {
    id,
    object: 'model',
    created: served.created ?? 0,
    owned_by: engine.kind,
    ...(served.maxModelTokens === undefined ? {} : { max_model_len: served.maxModelTokens }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
