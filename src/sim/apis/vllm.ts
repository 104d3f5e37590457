import { type ApiContext, type Handler, type KindApi, wallSeconds } from './api.ts';
import { bearerOf, headerOf } from './bearer.ts';
import { embed } from './embed.ts';
import type { Exchange } from './exchange.ts';
import { generate } from './generate.ts';
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

const RULES: RequestRules = {
  modelRequired: false,
  leastMaxTokens: 0,
  roleRequired: false,
  emptyMessages: true,
};

const LENGTHS: LengthRules = { refuses: 'prompt and answer', spareTokens: 0, completionTokens: 16 };

/** vLLM 0.26.0's API server. Embeddings are answered too, which a real one does for pooling models only. */
export function vllmApi(context: ApiContext): KindApi {
  const version = '0.26.0';
  const empty: Handler = (exchange) => exchange.text(200, '', undefined);
  const post =
    (endpoint: Endpoint): Handler =>
    async (exchange) => {
      mustBeJson(exchange);
      const request = readGeneration(await exchange.body(), endpoint, RULES);
      mustServe(context, request.model);
      await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
        // A client's own request id becomes part of the answer's.
        const answerId = headerOf(exchange, 'x-request-id') ?? id;
        const meta = { id: answerId, created, model: servedName(context, request.model), request };
        return endpoint === 'chat' ? vllmChat(meta) : vllmCompletion(meta);
      });
    };
  return {
    manner: uvicorn,
    guard: (exchange) => guard(context, exchange),
    refuse: (problem, exchange) =>
      refusalOf(REFUSALS, problem, exchange) ?? error(500, 'InternalServerError', null, faultText(problem)),
    routes: {
      '/health': { GET: empty },
      '/ping': { GET: empty, POST: empty },
      '/version': { GET: (exchange) => exchange.json(200, { version }) },
      '/load': { GET: (exchange) => exchange.json(200, { server_load: 0 }) },
      '/metrics': { GET: (exchange) => pythonPage(context, exchange) },
      '/v1/models': { GET: (exchange) => exchange.json(200, models(context)) },
      '/v1/chat/completions': { POST: post('chat') },
      '/v1/completions': { POST: post('completions') },
      '/v1/embeddings': { POST: (exchange) => embeddings(context, exchange) },
    },
  };
}

function guard({ key }: ApiContext, exchange: Exchange): Problem | undefined {
  const guarded = /^\/(?:v1|v2|inference|cohere)/.test(exchange.path) && exchange.method !== 'OPTIONS';
  if (key === undefined || !guarded || bearerOf(exchange) === key) return undefined;
  return { type: 'unauthorized' };
}

function mustBeJson(exchange: Exchange): void {
  const type = headerOf(exchange, 'content-type') ?? 'application/json';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) throw new RequestProblem({ type: 'media-type' });
}

function mustServe(context: ApiContext, model: string | undefined): void {
  if (model !== undefined && modelsOf(context).every(({ id }) => id !== model)) {
    throw new RequestProblem({ type: 'unknown-model', model });
  }
}

function models(context: ApiContext): unknown {
  const { clock, contextTokens, newId } = context;
  const created = wallSeconds(clock);
  const permission = () => ({
    id: `modelperm-${newId(32)}`,
    object: 'model_permission',
    created,
    allow_create_engine: false,
    allow_sampling: true,
    allow_logprobs: true,
    allow_search_indices: false,
    allow_view: true,
    allow_fine_tuning: false,
    organization: '*',
    group: null,
    is_blocking: false,
  });
  return {
    object: 'list',
    data: modelsOf(context).map(({ id, parent }) => ({
      id,
      object: 'model',
      created,
      owned_by: 'vllm',
      // An adapter's root is the path it was loaded from.
      root: parent === undefined ? id : `/adapters/${id}`,
      parent: parent ?? null,
      max_model_len: parent === undefined ? contextTokens : null,
      permission: [permission()],
    })),
  };
}

async function embeddings(context: ApiContext, exchange: Exchange): Promise<void> {
  mustBeJson(exchange);
  const { model, inputs } = readEmbedding(await exchange.body());
  mustServe(context, model);
  const { vectors, promptTokens } = await embed(context, exchange, inputs);
  exchange.json(200, {
    id: `embd-${context.newId(32)}`,
    object: 'list',
    created: wallSeconds(context.clock),
    model: context.model,
    data: vectors.map((embedding, index) => ({ index, object: 'embedding', embedding })),
    usage: {
      prompt_tokens: promptTokens,
      total_tokens: promptTokens,
      completion_tokens: 0,
      prompt_tokens_details: null,
    },
  });
}

function error(status: number, type: string, param: string | null, message: string): Refusal {
  return { status, body: { error: { message, type, param, code: status } } };
}

const REFUSALS: Refusals = {
  ...fastApiRefusals,
  ...pydanticRefusals(({ location, text }) =>
    error(400, 'Bad Request', location, `1 validation error:\n  ${text}`),
  ),
  unauthorized: () => ({ status: 401, body: { error: 'Unauthorized' } }),
  'media-type': () =>
    error(400, 'Bad Request', null, "Unsupported Media Type: Only 'application/json' is allowed"),
  'unknown-model': ({ model }) =>
    error(404, 'NotFoundError', 'model', `The model \`${model}\` does not exist.`),
  'out-of-range': ({ field, found }) =>
    error(400, 'BadRequestError', field, `${field} must be at least 1, got ${found}.`),
  'too-long': ({ promptTokens, maxTokens = 0, contextTokens }) =>
    error(
      400,
      'BadRequestError',
      'input_tokens',
      `You passed ${promptTokens} input tokens and requested ${maxTokens} output tokens. However, the model's context length is only ${contextTokens} tokens, resulting in a maximum input length of ${contextTokens - maxTokens} tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=${promptTokens})`,
    ),
};
