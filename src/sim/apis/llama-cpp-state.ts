import type { ApiContext } from './api.ts';
import { FINGERPRINT } from './llama-cpp-answer.ts';

/** `/props`, as far as anybody reads it. */
export function propsOf({ model, maxSeqs, contextTokens }: ApiContext): object {
  return {
    default_generation_settings: {
      params: {
        seed: 4294967295,
        temperature: 0.800000011920929,
        top_k: 40,
        top_p: 0.949999988079071,
        min_p: 0.05000000074505806,
        max_tokens: -1,
        n_predict: -1,
        n_keep: 0,
        ignore_eos: false,
        stream: false,
      },
      n_ctx: contextTokens,
    },
    total_slots: maxSeqs,
    model_alias: model,
    model_ftype: 'Q4_0',
    model_path: `/models/${model}.gguf`,
    modalities: { vision: false, video: false, audio: false },
    endpoint_slots: true,
    endpoint_props: false,
    endpoint_metrics: true,
    ui: false,
    ui_settings: {},
    chat_template:
      "{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}",
    chat_template_caps: { supports_string_content: true, supports_system_role: true, supports_tools: false },
    bos_token: '<|begin|>',
    eos_token: '<|end|>',
    build_info: FINGERPRINT,
    is_sleeping: false,
  };
}

/** `/slots`: the running requests in their order, then empty slots. */
export function slotsOf({ driver, maxSeqs, contextTokens }: ApiContext): readonly object[] {
  const running = driver.sequences().filter(({ phase }) => phase !== 'waiting');
  return Array.from({ length: maxSeqs }, (_, id) => {
    const sequence = running[id];
    const slot = { id, n_ctx: contextTokens, speculative: false, is_processing: sequence !== undefined };
    if (sequence === undefined) return slot;
    const { promptTokens, computedTokens, generatedTokens } = sequence;
    return {
      ...slot,
      id_task: Number(sequence.id.slice(1)),
      n_prompt_tokens: promptTokens + generatedTokens,
      n_prompt_tokens_processed: Math.min(computedTokens, promptTokens),
      n_prompt_tokens_cache: 0,
      next_token: [{ has_next_token: true, has_new_line: false, n_decoded: generatedTokens }],
    };
  });
}
