import type { EngineProfile } from '../../engines/profile.ts';
import { type ApiContext, type Handler, type KindApi, type Routes, wallSeconds } from './api.ts';
import { bearerOf } from './bearer.ts';
import { embed } from './embed.ts';
import type { Exchange, HttpManner } from './exchange.ts';
import { generate } from './generate.ts';
import { identityOf } from './identity.ts';
import type { LengthRules } from './plan.ts';
import {
  faultText,
  type Problem,
  type Refusal,
  type Refusals,
  RequestProblem,
  refusalOf,
} from './problem.ts';
import { pythonPage } from './python-page.ts';
import { type Endpoint, type RequestRules, readEmbedding, readGeneration } from './read-request.ts';
import { modelsOf, servedName } from './served-models.ts';
import { fastApiRefusals, pydanticRefusals, uvicorn } from './uvicorn.ts';
import { vllmChat, vllmCompletion } from './vllm-answer.ts';

const MANNER: HttpManner = { version: '1.1', headers: {}, jsonType: 'application/json' };

const RULES: RequestRules = {
  modelRequired: false,
  leastMaxTokens: 0,
  roleRequired: false,
  emptyMessages: true,
};

const LENGTHS: LengthRules = { refuses: 'prompt and answer', spareTokens: 0, completionTokens: 16 };

/**
 * An engine of a kind whose API nobody has written down here: OpenAI's paths in vLLM's words, and under the kind's
 * own paths what tells it apart. Its page is the kind's own, all the same.
 */
export function genericApi(context: ApiContext, profile: EngineProfile): KindApi {
  return {
    manner: { ...MANNER, headers: identityOf(profile.kind).python === true ? uvicorn.headers : {} },
    guard: (exchange) => guard(context, profile, exchange),
    refuse: (problem, exchange) =>
      refusalOf(REFUSALS, problem, exchange) ?? error(500, 'InternalServerError', null, faultText(problem)),
    routes: { ...aboutItself(context, profile), ...work(context, profile) },
  };
}

function aboutItself(context: ApiContext, profile: EngineProfile): Routes {
  const { ownedBy, python = false, answers = {} } = identityOf(profile.kind);
  const { health, version, metrics, modelsPath, page } = profile;
  const get = (path: string, handler: Handler): Routes => ({ [path]: { GET: handler } });
  return {
    ...get(health.path, (exchange) => exchange.text(200, '', undefined)),
    ...get(modelsPath, (exchange) =>
      exchange.json(200, {
        object: 'list',
        data: modelsOf(context).map(({ id, parent }) => ({
          id,
          object: 'model',
          created: wallSeconds(context.clock),
          owned_by: ownedBy,
          root: id,
          parent: parent ?? null,
          max_model_len: context.contextTokens,
        })),
      }),
    ),
    ...(version === undefined
      ? {}
      : get(version.path, (exchange) =>
          exchange.json(200, atField(version.field.split('.'), page?.version ?? '0')),
        )),
    ...(metrics === undefined
      ? {}
      : get(metrics.path, (exchange) =>
          python ? pythonPage(context, exchange) : exchange.text(200, context.page(), TEXT),
        )),
    ...Object.fromEntries(
      Object.entries(answers).map(([path, body]) => [
        path,
        { GET: (exchange: Exchange) => exchange.json(200, body(context)) },
      ]),
    ),
  };
}

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

function atField(fields: readonly string[], value: string): unknown {
  const [first, ...rest] = fields;
  return first === undefined ? value : { [first]: atField(rest, value) };
}

function work(context: ApiContext, { checksModel, apis }: EngineProfile): Routes {
  const mustServe = (model: string | undefined): void => {
    const known = model === undefined || modelsOf(context).some(({ id }) => id === model);
    if (checksModel && !known) throw new RequestProblem({ type: 'unknown-model', model });
  };
  const post = (path: string, endpoint: Endpoint): Routes => ({
    [path]: {
      POST: async (exchange) => {
        const request = readGeneration(await exchange.body(), endpoint, RULES);
        mustServe(request.model);
        await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
          const meta = { id, created, model: servedName(context, request.model), request };
          return endpoint === 'chat' ? vllmChat(meta) : vllmCompletion(meta);
        });
      },
    },
  });
  return {
    ...(apis.includes('chat') ? post('/v1/chat/completions', 'chat') : {}),
    ...(apis.includes('completions') ? post('/v1/completions', 'completions') : {}),
    ...(apis.includes('embeddings')
      ? { '/v1/embeddings': { POST: (exchange) => embeddings(context, exchange, mustServe) } }
      : {}),
  };
}

async function embeddings(
  context: ApiContext,
  exchange: Exchange,
  mustServe: (model: string | undefined) => void,
): Promise<void> {
  const { model, inputs } = readEmbedding(await exchange.body());
  mustServe(model);
  const { vectors, promptTokens } = await embed(context, exchange, inputs);
  exchange.json(200, {
    object: 'list',
    data: vectors.map((embedding, index) => ({ index, object: 'embedding', embedding })),
    model: context.model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  });
}

/** The key opens what OpenAI's clients use, and the page where the kind guards it. */
function guard({ key }: ApiContext, { metrics }: EngineProfile, exchange: Exchange): Problem | undefined {
  const guarded =
    exchange.path.startsWith('/v1/') || (metrics?.guarded === true && exchange.path === metrics.path);
  return key === undefined || !guarded || bearerOf(exchange) === key ? undefined : { type: 'unauthorized' };
}

function error(status: number, type: string, param: string | null, message: string): Refusal {
  return { status, body: { error: { message, type, param, code: status } } };
}

const REFUSALS: Refusals = {
  ...fastApiRefusals,
  ...pydanticRefusals(({ location, text }) =>
    error(400, 'Bad Request', location, `1 validation error:\n  ${text}`),
  ),
  loading: () => ({ status: 503, body: '' }),
  unauthorized: () => ({ status: 401, body: { error: 'Unauthorized' } }),
  'unknown-model': ({ model }) =>
    error(404, 'NotFoundError', 'model', `The model \`${model}\` does not exist.`),
  'out-of-range': ({ field, least, found }) =>
    error(400, 'BadRequestError', field, `${field} must be at least ${least}, got ${found}.`),
  'too-long': ({ promptTokens, maxTokens = 0, contextTokens }) =>
    error(
      400,
      'BadRequestError',
      'input_tokens',
      `${promptTokens} input tokens and ${maxTokens} output tokens are more than the context of ${contextTokens} tokens.`,
    ),
};
