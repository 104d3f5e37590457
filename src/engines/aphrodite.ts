import { ownerMark, pageMark } from './marks.ts';
import type { EngineProfile } from './profile.ts';
import { renamed } from './rename.ts';
import { vllm } from './vllm.ts';
import { vllmNames } from './vllm-names.ts';

/** Aphrodite. vLLM's V1 families, labels and bounds under its own prefix. */
export const aphrodite: EngineProfile = {
  ...vllm,
  kind: 'aphrodite',
  title: 'Aphrodite',
  verifiedAgainst: [{ version: 'b42eeec22', how: 'documentation' }],
  defaultPort: 2242,
  apis: ['chat', 'completions', 'embeddings', 'tokenize'],
  progress: { names: ['aphrodite:generation_tokens_total'] },
  families: renamed(vllmNames, (name) => [name.replace(/^vllm:/, 'aphrodite:')]),
  page: {
    version: 'b42eeec22',
    labelSets: {
      default: { model: 'model_name', rank: 'engine', rankOfOne: true },
      info: { rank: 'engine', rankOfOne: true },
    },
  },
  launch: [],
  detect: (evidence) => ownerMark(evidence, 'aphrodite') ?? pageMark(evidence, 'aphrodite:', "Aphrodite's"),
};
