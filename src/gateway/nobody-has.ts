import { lacksApi } from '../routing/filters.ts';
import { GatewayError } from '../serving/errors.ts';
import type { Forwarded } from './forward.ts';
import { quoted } from './nobody-serves.ts';
import type { Prepared } from './prepare.ts';

/**
 * An engine whose kind is not known to have the endpoint, and which says that it has none, was asked since no other
 * serves the model: its own words for it (`{"detail":"Not Found"}`) tell a client nothing. Undefined: it is not so.
 */
export function nobodyHas(
  { engine, answer, answered }: Pick<Forwarded, 'engine' | 'answer' | 'answered'>,
  { api, askedModel }: Pick<Prepared, 'api' | 'askedModel'>,
  pathname: string,
): GatewayError | undefined {
  const isMissing = answer.status === 404 || answer.status === 405;
  if (!isMissing || answered !== 'client-error' || !lacksApi(engine.view(), api)) return undefined;
  const kind = engine.identity?.profile.title ?? 'its kind';
  return new GatewayError(
    'unknown_endpoint',
    `No engine that serves the model ${quoted(askedModel)} has ${pathname}: ${engine.name} (${kind}) answered ${answer.status}`,
  );
}
