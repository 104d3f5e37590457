import { familyOf } from '../catalog/index.ts';
import { rayFamilies } from '../catalog/kind-ray.ts';
import { vllmFamilies } from '../catalog/vllm.ts';
import type { Evidence, Mark } from './evidence.ts';
import { familyNamed } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { mapSources, renamed } from './rename.ts';
import { vllmNames } from './vllm-names.ts';

/** What Ray adds to every series: of its own world, and no part of what an info family says. */
const RAY_LABELS = ['Component', 'NodeAddress', 'SessionName', 'Version', 'WorkerId', 'ReplicaId'] as const;

/** Old stacks kept the colon. */
const spelled = (name: string): readonly string[] => [
  name.replace(/^vllm:/, 'ray_vllm_'),
  name.replace(/^vllm:/, 'ray_vllm:'),
];

/**
 * Ray serves a counter twice, or only as the gauge without `_total`: whichever stands first here is read and the
 * others are not, so that they never add up.
 */
function rayNames(name: string, family: string): readonly string[] {
  if (familyOf(family)?.type !== 'counter') return spelled(name);
  return [...spelled(name), ...spelled(name.replace(/_total$/, ''))];
}

const NOT_UNDER_RAY =
  'The API server does not run in the engine under Ray, and its families are not exported.';
const apiServer: Readonly<Record<string, Supply>> = Object.fromEntries(
  vllmFamilies
    .filter(({ name }) => /^vllm:(websocket_|tool_call_parser_)/.test(name))
    .map(({ name }) => [name, { missing: NOT_UNDER_RAY }]),
);

const families: Readonly<Record<string, Supply>> = Object.fromEntries(
  Object.entries({ ...renamed(vllmNames, rayNames), ...apiServer }).map(([name, supply]) => [
    name,
    mapSources(supply, (source) => asUnderRay(name, source)),
  ]),
);

/** A counter that never rose is not exported. */
function asUnderRay(name: string, source: Source): Source {
  const family = familyOf(name);
  if (family?.ranks === 'info') return { ...source, without: RAY_LABELS };
  return family?.type === 'counter' ? { ...source, lazy: true } : source;
}

/** The gauge beside each counter. */
const twice: Readonly<Record<string, readonly Source[]>> = Object.fromEntries(
  vllmFamilies
    .filter(({ type }) => type === 'counter')
    .map(({ name }) => [
      name,
      [{ names: [name.replace(/^vllm:(.*)_total$/, 'ray_vllm_$1')], declared: 'gauge' as const }],
    ]),
);

const RAY = {
  Component: 'core_worker',
  NodeAddress: '192.0.2.10',
  SessionName: 'session_1',
  Version: '2.52.0',
  WorkerId: 'worker-1',
} as const;

/**
 * vLLM under Ray Serve. Its page is not the engine's but that of Ray's metrics agent on the node, and holds every
 * replica there: each is a rank. A replica that is gone stays on the page until Ray lets it go.
 */
export const rayVllm: EngineProfile = {
  kind: 'ray-vllm',
  title: 'vLLM under Ray',
  verifiedAgainst: [
    { version: 'Ray 2.32', how: 'capture' },
    { version: 'Ray 2.48 and later', how: 'own page' },
  ],
  defaultPort: 8000,
  metrics: { ...openPage, port: 8080 },
  health: { path: '/health', loadingIs503: false },
  // `Version` on the page is Ray's.
  version: undefined,
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings'],
  checksModel: true,
  rankLabel: 'ReplicaId',
  olderRankLabels: ['WorkerId'],
  modelLabels: ['model_name'],
  progress: { names: rayNames('vllm:generation_tokens_total', 'vllm:generation_tokens_total') },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families,
  own: rayFamilies,
  page: {
    version: 'Ray 2.52, vLLM 0.26.0',
    labelSets: {
      default: { model: 'model_name', rank: 'ReplicaId', rankOfOne: true, fixed: { ...RAY, engine: '0' } },
      info: { rank: 'ReplicaId', rankOfOne: true, fixed: RAY },
    },
    also: twice,
  },
  launch: [
    {
      flag: '--metrics-export-port=8080',
      brings:
        "a known port for the page of Ray's agent (in the `ray start` of the node); else say where it is with `metrics`",
      needed: false,
    },
  ],
  doubts: [
    'The page of one node is read: replicas on other nodes are not on it.',
    'A replica that was replaced keeps its last figures until Ray lets them go.',
  ],
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  const name = familyNamed(evidence, 'ray_vllm_') ?? familyNamed(evidence, 'ray_vllm:');
  if (name === undefined) return undefined;
  return { certainty: 'guess', reason: `its metrics page is of Ray's agent, with vLLM's families (${name})` };
}
