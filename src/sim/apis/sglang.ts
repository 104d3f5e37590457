import { type ApiContext, type Handler, type KindApi, wallSeconds } from './api.ts';
import { bearerOf } from './bearer.ts';
import type { Exchange } from './exchange.ts';
import { generate } from './generate.ts';
import type { LengthRules } from './plan.ts';
import { faultText, type Problem, type Refusal, type Refusals, refusalOf } from './problem.ts';
import { pythonPage } from './python-page.ts';
import { type Endpoint, type RequestRules, readGeneration } from './read-request.ts';
import { modelsOf } from './served-models.ts';
import { sglangChat, sglangCompletion } from './sglang-answer.ts';
import { fastApiRefusals, pydanticRefusals, uvicorn } from './uvicorn.ts';

const RULES: RequestRules = {
  modelRequired: false,
  leastMaxTokens: 0,
  roleRequired: false,
  emptyMessages: true,
};

const LENGTHS: LengthRules = { refuses: 'prompt and answer', spareTokens: 0, completionTokens: 16 };

/** It lets a request through the scheduler and looks for output once a second. */
const HEALTH_POLL_MS = 1000;

/** SGLang late 0.5. */
export function sglangApi(context: ApiContext): KindApi {
  const health: Handler = async (exchange) => {
    await context.clock.sleep(HEALTH_POLL_MS / context.speed, exchange.signal);
    exchange.text(200, '', undefined);
  };
  const post =
    (endpoint: Endpoint): Handler =>
    async (exchange) => {
      const request = readGeneration(await exchange.body(), endpoint, RULES);
      await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
        // Names are not checked: whatever was asked for comes back.
        const model = request.model ?? 'default';
        const meta = { id, created, model, request, now: () => wallSeconds(context.clock) };
        return endpoint === 'chat' ? sglangChat(meta) : sglangCompletion(meta);
      });
    };
  const info: Handler = (exchange) => exchange.json(200, modelInfo(context));
  const server: Handler = (exchange) => exchange.json(200, serverInfo(context));
  return {
    manner: uvicorn,
    guard: (exchange) => guard(context, exchange),
    refuse: (problem, exchange) =>
      refusalOf(REFUSALS, problem, exchange) ??
      error(500, 'InternalServerError', `Internal server error: ${faultText(problem)}`),
    routes: {
      '/health': { GET: health },
      '/health_generate': { GET: health },
      '/ping': { GET: (exchange) => exchange.text(200, '', undefined) },
      '/metrics': { GET: (exchange) => pythonPage(context, exchange) },
      '/get_model_info': { GET: info },
      '/model_info': { GET: info },
      '/get_server_info': { GET: server },
      '/server_info': { GET: server },
      '/v1/loads': { GET: (exchange) => exchange.json(200, loads(context)) },
      '/v1/models': { GET: (exchange) => exchange.json(200, { object: 'list', data: cards(context) }) },
      '/v1/models/*': { GET: (exchange) => oneModel(context, exchange) },
      '/v1/chat/completions': { POST: post('chat') },
      '/v1/completions': { POST: post('completions') },
    },
  };
}

function guard({ key }: ApiContext, exchange: Exchange): Problem | undefined {
  const open = exchange.method === 'OPTIONS' || /^\/(?:health|metrics)/.test(exchange.path);
  return key === undefined || open || bearerOf(exchange) === key ? undefined : { type: 'unauthorized' };
}

function cards(context: ApiContext): readonly object[] {
  const { clock, contextTokens } = context;
  return modelsOf(context).map(({ id, parent }) => ({
    id,
    object: 'model',
    created: wallSeconds(clock),
    owned_by: 'sglang',
    root: id,
    parent: parent ?? null,
    max_model_len: contextTokens,
  }));
}

function oneModel(context: ApiContext, exchange: Exchange): void {
  const asked = decodeURIComponent(exchange.path.slice('/v1/models/'.length));
  const at = modelsOf(context).findIndex(({ id }) => id === asked);
  if (at >= 0) exchange.json(200, cards(context)[at]);
  else {
    exchange.json(404, {
      error: {
        message: `The model '${asked}' does not exist`,
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    });
  }
}

function modelInfo({ model }: ApiContext): object {
  return {
    model_path: model,
    tokenizer_path: model,
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    has_image_understanding: false,
    has_audio_understanding: false,
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
  };
}

function serverInfo(context: ApiContext): object {
  const { model, ranks, maxSeqs, kvTokens, contextTokens, blockTokens } = context;
  return {
    model_path: model,
    tokenizer_path: model,
    served_model_name: model,
    dp_size: ranks,
    tp_size: 1,
    page_size: blockTokens,
    context_length: contextTokens,
    max_running_requests: maxSeqs,
    enable_metrics: true,
    max_total_num_tokens: kvTokens,
    max_req_input_len: contextTokens - 6,
    internal_states: Array.from({ length: ranks }, () => ({ max_running_requests_per_dp: maxSeqs })),
    version: SGLANG_VERSION,
  };
}

const SGLANG_VERSION = '0.5.9';

function loads({ ranks, maxSeqs, kvTokens, stats, clock }: ApiContext): object {
  return {
    timestamp: new Date(clock.wallTime()).toISOString(),
    dp_rank_count: ranks,
    loads: stats.ranks().map(({ running, waiting, kvUsage }, rank) => ({
      dp_rank: rank,
      num_running_reqs: running,
      num_waiting_reqs: waiting,
      num_total_reqs: running + waiting,
      num_used_tokens: Math.round(kvUsage * kvTokens),
      max_total_num_tokens: kvTokens,
      token_usage: kvUsage,
      max_running_requests: maxSeqs,
    })),
  };
}

function error(status: number, type: string, message: string): Refusal {
  return { status, body: { object: 'error', message, type, param: null, code: status } };
}

const REFUSALS: Refusals = {
  ...fastApiRefusals,
  // The handler joins the exception and its own list, so the text stands there twice.
  ...pydanticRefusals(({ text }) => error(400, 'Bad Request', `1 validation error:\n  ${text}\n[${text}]`)),
  loading: () => ({ status: 503, body: '' }),
  unauthorized: () => ({ status: 401, body: { error: 'Unauthorized' } }),
  'out-of-range': ({ field, least, found }) =>
    error(400, 'BadRequest', `${field} must be at least ${least}, got ${found}.`),
  'too-long': ({ promptTokens, maxTokens, contextTokens }) =>
    error(
      400,
      'BadRequest',
      maxTokens === undefined || promptTokens >= contextTokens
        ? `The input (${promptTokens} tokens) is longer than the model's context length (${contextTokens} tokens).`
        : `Requested token count exceeds the model's maximum context length of ${contextTokens} tokens. You requested a total of ${promptTokens + maxTokens} tokens: ${promptTokens} tokens from the input messages and ${maxTokens} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`,
    ),
};
