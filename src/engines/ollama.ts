import type { Evidence, Mark } from './evidence.ts';
import { ownedBy } from './marks.ts';
import type { EngineProfile } from './profile.ts';

/** Ollama. It has no metrics: alive or not, and `/api/ps` for what is in memory; load is what we sent ourselves. */
export const ollama: EngineProfile = {
  kind: 'ollama',
  title: 'Ollama',
  verifiedAgainst: [{ version: '0.12', how: 'documentation' }],
  defaultPort: 11434,
  metrics: undefined,
  health: { path: '/', loadingIs503: false, note: 'It says it runs with no model loaded, too.' },
  version: { path: '/api/version', field: 'version' },
  modelsPath: '/v1/models',
  loadedPath: '/api/ps',
  apis: ['chat', 'completions', 'embeddings', 'responses', 'messages', 'audio'],
  checksModel: true,
  rankLabel: undefined,
  modelLabels: [],
  progress: undefined,
  kvUsageMeans: 'absent',
  latencyHistograms: false,
  families: {},
  own: [],
  page: undefined,
  launch: [
    {
      flag: 'OLLAMA_NUM_PARALLEL=N',
      brings: 'N requests at once for each model (1 by default)',
      needed: false,
    },
  ],
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  if (evidence.root?.body.trim() === 'Ollama is running') {
    return { certainty: 'known', reason: 'GET / says "Ollama is running"' };
  }
  if (ownedBy(evidence) !== 'library') return undefined;
  return { certainty: 'guess', reason: '/v1/models says owned_by "library", as Ollama does' };
}
