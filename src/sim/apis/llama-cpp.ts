import type { ApiContext, Handler, KindApi } from './api.ts';
import { headerOf } from './bearer.ts';
import { embed } from './embed.ts';
import type { Exchange, HttpManner } from './exchange.ts';
import { generate } from './generate.ts';
import { llamaCppChat, llamaCppCompletion } from './llama-cpp-answer.ts';
import { llamaCppRefusal } from './llama-cpp-errors.ts';
import { propsOf, slotsOf } from './llama-cpp-state.ts';
import type { LengthRules } from './plan.ts';
import { type Problem, RequestProblem } from './problem.ts';
import { type Endpoint, type RequestRules, readEmbedding, readGeneration } from './read-request.ts';

const MANNER: HttpManner = {
  version: '1.1',
  headers: {
    Server: 'llama.cpp',
    'Access-Control-Allow-Origin': '',
    'Keep-Alive': 'timeout=5, max=100',
  },
  jsonType: 'application/json; charset=utf-8',
};

const RULES: RequestRules = {
  modelRequired: false,
  // -1 is no limit.
  leastMaxTokens: -1,
  roleRequired: true,
  emptyMessages: true,
};

const LENGTHS: LengthRules = { refuses: 'prompt', spareTokens: 0, completionTokens: undefined };

/** llama-server v0.4.0 (80fb11a), started with `--metrics --embeddings`. */
export function llamaCppApi(context: ApiContext): KindApi {
  return serverApi(context, () => {});
}

/** The same in router mode, its one model loaded: requests and scrapes must name it. */
export function llamaCppRouterApi(context: ApiContext): KindApi {
  const mustServe = (model: string | undefined, query?: URLSearchParams): void => {
    if (model === undefined) {
      throw new RequestProblem({ type: 'missing', field: 'model', body: query?.toString() });
    }
    if (model !== context.model) throw new RequestProblem({ type: 'unknown-model', model });
  };
  const api = serverApi(context, mustServe);
  const list: Handler = (exchange) => exchange.json(200, routerModels(context));
  const page: Handler = async (exchange) => {
    mustServe(exchange.query.get('model') ?? undefined, exchange.query);
    await api.routes['/metrics']?.['GET']?.(exchange);
  };
  const routes = { '/models': { GET: list }, '/v1/models': { GET: list }, '/metrics': { GET: page } };
  return { ...api, routes: { ...api.routes, ...routes } };
}

function serverApi(context: ApiContext, mustServe: (model: string | undefined) => void): KindApi {
  const ok: Handler = (exchange) => exchange.json(200, { status: 'ok' });
  const list: Handler = (exchange) => exchange.json(200, models(context));
  const post =
    (endpoint: Endpoint): Handler =>
    async (exchange) => {
      const request = readGeneration(await exchange.body(), endpoint, RULES);
      mustServe(request.model);
      await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
        const meta = { id, created, model: context.model, request };
        return endpoint === 'chat' ? llamaCppChat(meta) : llamaCppCompletion(meta);
      });
    };
  const both = (handler: Handler): Readonly<Record<string, Handler>> => ({ GET: handler, HEAD: handler });
  return {
    manner: MANNER,
    guard: (exchange) => guard(context, exchange),
    refuse: llamaCppRefusal,
    routes: {
      '/health': both(ok),
      '/v1/health': both(ok),
      '/models': both(list),
      '/v1/models': both(list),
      '/props': both((exchange) => exchange.json(200, propsOf(context))),
      '/slots': both((exchange) => exchange.json(200, slotsOf(context))),
      '/lora-adapters': both((exchange) => exchange.json(200, [])),
      '/metrics': both(async (exchange) => {
        // A scrape is a task in the decode queue: it waits for the batch that is being computed.
        await context.driver.betweenSteps();
        exchange.text(200, context.page(), 'text/plain; version=0.0.4');
      }),
      '/chat/completions': { POST: post('chat') },
      '/v1/chat/completions': { POST: post('chat') },
      '/v1/completions': { POST: post('completions') },
      '/v1/embeddings': { POST: (exchange) => embeddings(context, exchange) },
    },
  };
}

/** Key on all paths but health and the page's, unknown ones included; the word Bearer in this case only, or the bare key. */
function guard({ key }: ApiContext, exchange: Exchange): Problem | undefined {
  const open = /^\/(?:(?:v1\/)?health)?$/.test(exchange.path) || exchange.method === 'OPTIONS';
  if (key === undefined || open) return undefined;
  const sent = exchange.headers.authorization?.replace(/^Bearer /, '') ?? headerOf(exchange, 'x-api-key');
  return sent === key ? undefined : { type: 'unauthorized' };
}

function models({ model, startedWallMs, contextTokens }: ApiContext): object {
  const details = {
    parent_model: '',
    format: 'gguf',
    family: '',
    families: [''],
    parameter_size: '',
    quantization_level: '',
  };
  const meta = {
    vocab_type: true,
    n_vocab: 128_256,
    n_ctx: contextTokens,
    n_ctx_train: contextTokens,
    n_embd: 4096,
    n_params: 8_030_261_312,
    size: 4_661_211_136,
    ftype: 'Q4_0',
  };
  return {
    models: [
      {
        name: model,
        model,
        modified_at: '',
        size: '',
        digest: '',
        type: 'model',
        description: '',
        tags: [''],
        capabilities: ['completion'],
        parameters: '',
        details,
      },
    ],
    object: 'list',
    data: [
      {
        id: model,
        aliases: [model],
        tags: [],
        object: 'model',
        created: Math.floor(startedWallMs / 1000),
        owned_by: 'llamacpp',
        meta,
      },
    ],
  };
}

function routerModels({ model, startedWallMs }: ApiContext): object {
  const card = {
    id: model,
    object: 'model',
    created: Math.floor(startedWallMs / 1000),
    owned_by: 'llamacpp',
    status: { value: 'loaded', args: ['llama-server', '--metrics'], preset: '' },
    architecture: { input_modalities: ['text'], output_modalities: ['text'] },
    source: 'preset',
    can_remove: false,
  };
  return { object: 'list', data: [card] };
}

async function embeddings(context: ApiContext, exchange: Exchange): Promise<void> {
  const { inputs } = readEmbedding(await exchange.body());
  const { vectors, promptTokens } = await embed(context, exchange, inputs);
  exchange.json(200, {
    model: context.model,
    object: 'list',
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    data: vectors.map((embedding, index) => ({ embedding, index, object: 'embedding' })),
  });
}
