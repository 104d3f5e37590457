import type { Evidence, Mark } from './evidence.ts';
import { llamaCpp } from './llama-cpp.ts';
import { isRecord, jsonOf } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Supply } from './profile.ts';
import { mapSources } from './rename.ts';

/** With no model in memory there is no page at all. */
const families: Readonly<Record<string, Supply>> = Object.fromEntries(
  Object.entries(llamaCpp.families).map(([name, supply]) => [
    name,
    mapSources(supply, (source) => ({ ...source, lazy: true })),
  ]),
);

/**
 * llama-server with many models, each in a process of its own. A page is asked for only of a model that
 * `/v1/models` says is loaded, and with `autoload=false`: a question about another one would load it.
 */
export const llamaCppRouter: EngineProfile = {
  ...llamaCpp,
  kind: 'llama-cpp-router',
  title: 'llama.cpp, router mode',
  verifiedAgainst: [{ version: 'v0.4.0 (80fb11a)', how: 'capture' }],
  metrics: {
    ...openPage,
    query: 'autoload=false',
    guarded: true,
    onByDefault: false,
    perModel: { query: 'model', label: 'model' },
  },
  checksModel: true,
  modelLabels: ['model'],
  families,
  page: {
    version: '0.4.0',
    labelSets: { default: { model: 'model' } },
    own: { 'llamacpp:n_tokens_max': { declared: 'counter' } },
  },
  launch: [
    {
      flag: 'metrics = 1',
      brings: "each model's metrics (in its preset, or --metrics for all)",
      needed: true,
    },
  ],
  doubts: ['Counters of a model start again when it is loaded again.'],
  detect,
};

/** Only in router mode do the models of a list have a status. */
function detect(evidence: Evidence): Mark | undefined {
  const list = jsonOf(evidence.models);
  const models: unknown = isRecord(list) ? list['data'] : undefined;
  if (!Array.isArray(models) || models.length === 0) return undefined;
  const areItsOwn = models.every(
    (model) => isRecord(model) && model['owned_by'] === 'llamacpp' && isRecord(model['status']),
  );
  if (!areItsOwn) return undefined;
  return {
    certainty: 'known',
    reason: '/v1/models says owned_by "llamacpp" and whether each model is loaded',
  };
}
