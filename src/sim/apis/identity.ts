import type { ApiContext } from './api.ts';

/** What an engine says that tells its kind apart. */
export interface Identity {
  /** `owned_by` in its list of models. */
  readonly ownedBy: string;
  /** Served by uvicorn, its page by the Python client. */
  readonly python?: true;
  /** Further paths that answer a GET with JSON. */
  readonly answers?: Readonly<Record<string, (context: ApiContext) => unknown>>;
}

/** Of the kinds whose API is the generic one; a kind that is not named owns its models under its own name. */
const identities: Readonly<Record<string, Identity>> = {
  aphrodite: { ownedBy: 'aphrodite', python: true },
  'dynamo-frontend': { ownedBy: 'nvidia' },
  lmdeploy: { ownedBy: 'lmdeploy', python: true },
  // It says that it is vLLM.
  'llm-d-inference-sim': { ownedBy: 'vllm' },
  // What stands in front of a replica under Ray Serve owns nothing.
  'ray-vllm': { ownedBy: 'ray' },
  mistralrs: { ownedBy: 'local' },
  tgi: {
    ownedBy: '-',
    answers: {
      '/info': ({ model, contextTokens }) => ({
        model_id: model,
        max_total_tokens: contextTokens,
        router: 'text-generation-router',
        version: '3.3.6',
        docker_label: 'sha-0000000',
      }),
    },
  },
  triton: {
    ownedBy: 'triton',
    answers: {
      '/v2': () => ({
        name: 'triton',
        version: '2.41.0',
        extensions: ['classification', 'model_repository', 'statistics', 'generate'],
      }),
    },
  },
};

export function identityOf(kind: string): Identity {
  return identities[kind] ?? { ownedBy: kind };
}
