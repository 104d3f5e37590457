import { whyAbsent } from '../../src/cli/why-absent.ts';
import { profiles } from '../../src/engines/index.ts';
import type { EngineProfile } from '../../src/engines/profile.ts';
import { code, type Page, pageHead, table } from './page.ts';

const KV_MEANS: Readonly<Record<EngineProfile['kvUsageMeans'], string>> = {
  pool: 'share of the KV cache in use: memory pressure',
  reservation:
    'share of the KV cache that running requests have reserved: shown, never used as memory pressure',
  'request-context': "share of one request's context: shown, never used as memory pressure",
  absent: 'not told',
};

const HOW: Readonly<Record<EngineProfile['verifiedAgainst'][number]['how'], string>> = {
  capture: 'a real page or answer',
  documentation: 'its documentation and source',
  'own page': 'a page of our own making only',
};

export const enginesPage: Page = {
  file: 'engines.md',
  render() {
    return `${pageHead('What each engine tells you', 'src/engines')}
What Penstock knows of each kind, and what it was checked against, with the versions: *real pages* are pages or answers
that such an engine gave, *documentation* is what its documentation and source say, *own pages* are of our own making.
What was not checked against a real page of your version may differ: \`penstock parse URL\` shows what is read from it;
tell us.

${table(
  ['kind', 'engine', 'port', 'metrics', 'on by default', 'key guards the page', 'checked against'],
  profiles.map(overview),
)}
${profiles.map(section).join('\n')}`;
  },
};

function overview(profile: EngineProfile): readonly string[] {
  const { kind, title, defaultPort, metrics } = profile;
  return [
    code(kind),
    title,
    String(defaultPort),
    metrics === undefined ? 'none' : code(pageAddress(metrics)),
    metrics === undefined ? '' : yesNo(metrics.onByDefault),
    metrics === undefined ? '' : yesNo(metrics.guarded),
    checkedText(profile),
  ];
}

/** With the versions: a real page of an old one says little of a new one. */
function checkedText({ verifiedAgainst }: EngineProfile): string {
  const groups = Object.entries(CHECKED).flatMap(([how, words]) => {
    const versions = verifiedAgainst.filter((one) => one.how === how).map(({ version }) => version);
    return versions.length === 0 ? [] : [`${words}: ${versions.join(', ')}`];
  });
  return groups.join('; ');
}

const CHECKED: Readonly<Record<EngineProfile['verifiedAgainst'][number]['how'], string>> = {
  capture: 'real pages',
  documentation: 'documentation',
  'own page': '**own pages only**',
};

/** What its figure means, and where some versions, or all, tell none. */
function kvText({ kvUsageMeans, families }: EngineProfile): string {
  const supply = families['vllm:kv_cache_usage_perc'];
  const why = supply === undefined ? undefined : whyAbsent(supply);
  if (supply === undefined || 'missing' in supply) return ['not told', why].filter(Boolean).join(': ');
  return `${KV_MEANS[kvUsageMeans]}${why === undefined ? '' : `; not in every version: ${why}`}`;
}

function section(profile: EngineProfile): string {
  const { title, kind, onlyByConfig, metrics, health, version, modelsPath } = profile;
  const { loadedPath, launch, verifiedAgainst } = profile;
  const rows: readonly (readonly [string, string])[] = [
    [
      'kind',
      onlyByConfig === true ? `${code(kind)}; told only by \`kind: ${kind}\` in the config` : code(kind),
    ],
    ['metrics', metrics === undefined ? 'none: judged by what the gateway sent it' : metricsText(metrics)],
    [
      'health',
      [
        code(health.path),
        ...(health.loadingIs503 ? ['503 while it loads'] : []),
        ...(health.note === undefined ? [] : [health.note]),
      ].join('; '),
    ],
    ['version', version === undefined ? 'not told' : `${code(version.field)} of ${code(version.path)}`],
    ['models', code(modelsPath) + (loadedPath === undefined ? '' : `; in memory: ${code(loadedPath)}`)],
    ['serves', profile.apis.length === 0 ? 'no requests: it is only watched' : profile.apis.join(', ')],
    ['unknown model', profile.checksModel ? 'refused by the engine' : 'not checked by the engine'],
    ['ranks told apart by', profile.rankLabel === undefined ? 'one rank' : code(profile.rankLabel)],
    ['KV usage', kvText(profile)],
    ['latency', profile.latencyHistograms ? 'histograms of its own' : 'measured by the gateway'],
    [
      'sign of work',
      profile.progress === undefined ? 'any change of its page' : code(profile.progress.names[0] ?? ''),
    ],
  ];
  const flags =
    launch.length === 0
      ? 'No launch flag is needed.\n'
      : table(
          ['launch flag', 'brings', 'needed'],
          launch.map(({ flag, brings, needed }) => [flagCell(flag), brings, yesNo(needed)]),
        );
  const checked = table(
    ['version', 'checked against'],
    verifiedAgainst.map((one) => [one.version, HOW[one.how]]),
  );
  const doubts = (profile.doubts ?? []).map((doubt) => `* ${doubt}\n`).join('');
  return `## ${title}\n\n${table(['', ''], rows)}\n${doubts === '' ? '' : `${doubts}\n`}${flags}\n${checked}`;
}

function metricsText(metrics: NonNullable<EngineProfile['metrics']>): string {
  const { port, perModel, otherForm } = metrics;
  return [
    code(pageAddress(metrics)),
    ...(port === undefined ? [] : ["on the engine's host, unless `metrics` says where"]),
    ...(perModel === undefined ? [] : ['one for each model in memory, read as one page']),
    ...(otherForm === undefined
      ? []
      : ['json' in otherForm ? 'JSON is read too' : 'lines of name, tab, value']),
  ].join('; ');
}

function pageAddress({ path, query, port, perModel }: NonNullable<EngineProfile['metrics']>): string {
  const parameters = [
    ...(query === undefined ? [] : [query]),
    ...(perModel === undefined ? [] : [`${perModel.query}=MODEL`]),
  ];
  const address = `${port === undefined ? '' : `:${port}`}${path}`;
  return parameters.length === 0 ? address : `${address}?${parameters.join('&')}`;
}

function yesNo(yes: boolean): string {
  return yes ? 'yes' : 'no';
}

/** What must be left out is written `(no --flag)` in a profile. */
function flagCell(flag: string): string {
  const unwanted = /^\(no (.+)\)$/.exec(flag)?.[1];
  return unwanted === undefined ? code(flag) : `leave out ${code(unwanted)}`;
}
