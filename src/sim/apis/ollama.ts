import type { ApiContext, Handler, KindApi } from './api.ts';
import { embed } from './embed.ts';
import type { Exchange, HttpManner } from './exchange.ts';
import { generate } from './generate.ts';
import { ollamaChat, ollamaCompletion } from './ollama-answer.ts';
import type { LengthRules } from './plan.ts';
import {
  faultText,
  type JsonType,
  type Refusal,
  type Refusals,
  RequestProblem,
  refusalOf,
} from './problem.ts';
import { type Endpoint, type RequestRules, readEmbedding, readGeneration } from './read-request.ts';

const MANNER: HttpManner = { version: '1.1', headers: {}, jsonType: 'application/json', jsonEnd: '\n' };

const RULES: RequestRules = {
  modelRequired: true,
  leastMaxTokens: -2,
  roleRequired: false,
  emptyMessages: false,
};

const LENGTHS: LengthRules = { refuses: 'never', spareTokens: 0, completionTokens: undefined };

/** How long a model stays after its last use. */
const KEEP_ALIVE_MS = 5 * 60_000;

/** Ollama 0.12.6 with one model, always loaded; the native chat and generate paths are not there. */
export function ollamaApi(context: ApiContext): KindApi {
  const tag = tagged(context.model);
  const post =
    (endpoint: Endpoint): Handler =>
    async (exchange) => {
      const request = readGeneration(await exchange.body(), endpoint, RULES);
      mustServe(tag, request.model);
      await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
        const number = Number.parseInt(id.slice(0, 8), 16) % 999;
        const meta = { number, created, model: request.model ?? tag, request };
        return endpoint === 'chat' ? ollamaChat(meta) : ollamaCompletion(meta);
      });
    };
  const native = (body: () => unknown): Readonly<Record<string, Handler>> => {
    const handler: Handler = (exchange) =>
      exchange.text(200, JSON.stringify(body()), 'application/json; charset=utf-8');
    return { GET: handler };
  };
  const root: Handler = (exchange) => exchange.text(200, 'Ollama is running', 'text/plain; charset=utf-8');
  const card = {
    id: tag,
    object: 'model',
    created: Math.floor(context.startedWallMs / 1000),
    owned_by: 'library',
  };
  return {
    manner: MANNER,
    guard: () => undefined,
    refuse: (problem, exchange) =>
      refusalOf(REFUSALS, problem, exchange) ?? error(500, 'api_error', faultText(problem)),
    routes: {
      '/': { GET: root, HEAD: root },
      '/api/version': native(() => ({ version: '0.12.6' })),
      '/api/tags': native(() => ({ models: [tagOf(context, tag)] })),
      '/api/ps': native(() => ({ models: [loadedOf(context, tag)] })),
      '/v1/models': { GET: (exchange) => exchange.json(200, { object: 'list', data: [card] }) },
      '/v1/models/*': {
        GET: (exchange) => {
          mustServe(tag, decodeURIComponent(exchange.path.slice('/v1/models/'.length)));
          exchange.json(200, card);
        },
      },
      '/v1/chat/completions': { POST: post('chat') },
      '/v1/completions': { POST: post('completions') },
      '/v1/embeddings': { POST: (exchange) => embeddings(context, exchange, tag) },
    },
  };
}

function tagged(model: string): string {
  return model.includes(':') ? model : `${model}:latest`;
}

function mustServe(tag: string, model: string | undefined): void {
  if (model !== undefined && tagged(model) !== tag) {
    throw new RequestProblem({ type: 'unknown-model', model });
  }
}

function tagOf({ startedWallMs, contextTokens }: ApiContext, tag: string): object {
  return {
    name: tag,
    model: tag,
    modified_at: new Date(startedWallMs).toISOString(),
    size: 4_661_224_676,
    digest: '365c0bd3c000a25d28ddbf732fe1c6add414de7275464c4e4d1c3b5fcb5d8ad1',
    details: {
      parent_model: '',
      format: 'gguf',
      family: 'llama',
      families: ['llama'],
      parameter_size: '8.0B',
      quantization_level: 'Q4_0',
      context_length: contextTokens,
      embedding_length: 4096,
    },
    capabilities: ['completion'],
  };
}

function loadedOf(context: ApiContext, tag: string): object {
  const { clock, contextTokens } = context;
  return {
    ...tagOf(context, tag),
    expires_at: new Date(clock.wallTime() + KEEP_ALIVE_MS).toISOString(),
    size_vram: 5_137_025_024,
    context_length: contextTokens,
  };
}

async function embeddings(context: ApiContext, exchange: Exchange, tag: string): Promise<void> {
  const { model, inputs } = readEmbedding(await exchange.body());
  mustServe(tag, model);
  const { vectors, promptTokens } = await embed(context, exchange, inputs);
  exchange.json(200, {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', embedding, index })),
    model: tag,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  });
}

function error(status: number, type: string, message: string): Refusal {
  return { status, body: { error: { message, type, param: null, code: null } } };
}

function bad(message: string): Refusal {
  return error(400, 'invalid_request_error', message);
}

const REFUSALS: Refusals = {
  'unknown-path': () => ({ status: 404, body: '404 page not found', contentType: 'text/plain' }),
  'wrong-method': () => ({ status: 405, body: '405 method not allowed', contentType: 'text/plain' }),
  'malformed-json': ({ empty }) => bad(empty ? 'EOF' : 'unexpected EOF'),
  missing: ({ field }) => bad(field === 'messages' ? "[] is too short - 'messages'" : `${field} is required`),
  'wrong-type': ({ field, wanted, found }) =>
    bad(
      `json: cannot unmarshal ${typeof found} into Go struct field ChatCompletionRequest.${field} of type ${GO_TYPES[wanted]}`,
    ),
  'unknown-model': ({ model }) => error(404, 'not_found_error', `model '${model}' not found`),
};

const GO_TYPES: Readonly<Record<JsonType, string>> = {
  integer: 'int',
  number: 'float64',
  boolean: 'bool',
  string: 'string',
  array: '[]openai.Message',
  object: 'openai.StreamOptions',
};
