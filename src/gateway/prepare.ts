import { withModel } from '../openai/request.ts';
import type { Wanted } from '../routing/filters.ts';
import type { RequestFacts } from '../routing/policy.ts';
import { sessionKeyOf } from '../routing/session-key.ts';
import type { Exchange } from '../serving/routes.ts';
import type { Admitted } from './admit.ts';
import { apiOf } from './endpoint.ts';
import { type Aliases, servedName } from './known-models.ts';

/** A request as engines get it, and what routing may know of it. */
export interface Prepared {
  /** As the client named it. */
  readonly askedModel: string;
  /** `model` as engines know it. */
  readonly facts: RequestFacts;
  /** By which kinds are known; absent for any other path. */
  readonly api: Wanted['api'];
  readonly body: Uint8Array;
}

export function prepare(aliases: Aliases, { request, url }: Exchange, { body, fields }: Admitted): Prepared {
  const model = servedName(aliases, fields.model);
  const sessionHeader = request.headers['x-session-id'];
  return {
    askedModel: fields.model,
    facts: {
      model,
      sessionKey: sessionKeyOf(typeof sessionHeader === 'string' ? sessionHeader : undefined, fields),
    },
    api: apiOf(url.pathname),
    body: model === fields.model ? body : withModel(body, fields.modelSpan, model),
  };
}
