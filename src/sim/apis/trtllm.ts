import { type ApiContext, type Handler, type KindApi, wallSeconds } from './api.ts';
import { generate } from './generate.ts';
import type { LengthRules } from './plan.ts';
import { faultText, type Refusal, type Refusals, refusalOf } from './problem.ts';
import { pythonPage } from './python-page.ts';
import { type Endpoint, type RequestRules, readGeneration } from './read-request.ts';
import { modelsOf } from './served-models.ts';
import { trtllmChat, trtllmCompletion } from './trtllm-answer.ts';
import { fastApiRefusals, pydanticRefusals, uvicorn } from './uvicorn.ts';

/** Extra fields are forbidden: what OpenAI has, and what trtllm-serve adds. */
const SHARED_FIELDS =
  'model frequency_penalty logit_bias logprobs top_logprobs max_tokens n presence_penalty seed stop stream stream_options temperature top_p user ignore_eos min_tokens top_k min_p repetition_penalty length_penalty early_stopping stop_token_ids include_stop_str_in_output skip_special_tokens spaces_between_special_tokens truncate_prompt_tokens add_special_tokens response_format lora_request disaggregated_params best_of use_beam_search priority';

const CHAT_FIELDS = new Set(
  `${SHARED_FIELDS} messages max_completion_tokens tools tool_choice parallel_tool_calls reasoning_effort echo add_generation_prompt documents chat_template chat_template_kwargs prompt_token_ids top_p_min cache_salt store metadata prompt_cache_key`.split(
    ' ',
  ),
);
const COMPLETION_FIELDS = new Set(`${SHARED_FIELDS} prompt echo return_context_logits detokenize`.split(' '));

const rulesOf = (endpoint: Endpoint): RequestRules => ({
  modelRequired: true,
  leastMaxTokens: 1,
  knownFields: endpoint === 'chat' ? CHAT_FIELDS : COMPLETION_FIELDS,
  roleRequired: false,
  emptyMessages: true,
});

const LENGTHS: LengthRules = { refuses: 'prompt and answer', spareTokens: 0, completionTokens: 16 };

/** TensorRT-LLM 1.3.0's trtllm-serve, its perf and iteration statistics turned on. */
export function trtllmApi(context: ApiContext): KindApi {
  let streams = 0;
  const post =
    (endpoint: Endpoint): Handler =>
    async (exchange) => {
      const read = readGeneration(await exchange.body(), endpoint, rulesOf(endpoint));
      // Named at all, the options include usage unless they say no.
      const request = { ...read, includeUsage: read.hasStreamOptions && read.includeUsage !== false };
      streams += 1;
      const streamId = streams;
      await generate(context, exchange, request, LENGTHS, ({ id, created }) => {
        const meta = { id, streamId, created, model: request.model ?? context.model, request };
        return endpoint === 'chat' ? trtllmChat(meta) : trtllmCompletion(meta);
      });
    };
  return {
    manner: uvicorn,
    guard: () => undefined,
    refuse: (problem, exchange) => refusalOf(REFUSALS, problem, exchange) ?? bad(faultText(problem)),
    routes: {
      '/health': { GET: (exchange) => exchange.text(200, '', undefined) },
      '/health_generate': {
        GET: (exchange) => exchange.text(200, 'Generation health check OK', 'text/plain; charset=utf-8'),
      },
      '/version': { GET: (exchange) => exchange.json(200, { version: '1.3.0' }) },
      '/server_info': { GET: (exchange) => exchange.json(200, { disaggregated_params: {} }) },
      // Reading it takes the records away: two readers each see half.
      '/metrics': { GET: (exchange) => exchange.json(200, context.stats.drainIterations()) },
      '/prometheus/metrics': { GET: (exchange) => pythonPage(context, exchange) },
      '/perf_metrics': { GET: (exchange) => exchange.json(200, []) },
      '/kv_cache_events': { POST: (exchange) => exchange.json(200, []) },
      '/v1/models': { GET: (exchange) => exchange.json(200, models(context)) },
      '/v1/chat/completions': { POST: post('chat') },
      '/v1/completions': { POST: post('completions') },
    },
  };
}

function models(context: ApiContext): object {
  const created = wallSeconds(context.clock);
  return {
    object: 'list',
    data: modelsOf(context).map(({ id }) => ({ id, object: 'model', created, owned_by: 'tensorrt_llm' })),
  };
}

/** Its own faults are 400 too, with their text. */
function bad(message: string): Refusal {
  const error = { object: 'error', message, type: 'BadRequestError', param: null, code: 400 };
  return { status: 400, body: error };
}

/** A validation answer is a bare text. */
function invalid(text: string): Refusal {
  return { status: 400, body: { error: `[${text}]` } };
}

const REFUSALS: Refusals = {
  ...fastApiRefusals,
  ...pydanticRefusals(({ text }) => invalid(text)),
  'out-of-range': ({ field, found }) =>
    invalid(
      `{'type': 'greater_than', 'loc': ('body', '${field}'), 'msg': 'Input should be greater than 0', 'input': ${found}}`,
    ),
  'too-long': ({ promptTokens, maxTokens = 0, contextTokens }) =>
    bad(
      `The sum of prompt length (${promptTokens}.0), query length (0) and max_tokens (${maxTokens}) should not exceed max_seq_len (${contextTokens})`,
    ),
};
