import { kindNames } from '../config/names.ts';
import { UsageError } from '../kit/usage-error.ts';
import { modelProfiles } from '../sim/model/model-profile.ts';
import type { CommandOption, Options } from './options.ts';
import type { SimSettings } from './parts.ts';
import { oneOf, positiveNumber, shareOf, wholeNumber } from './values.ts';

const PROFILES = modelProfiles.map(({ slug }) => slug);
/** vLLM's own default. */
const SAMPLED_BLOCKS = 0.01;
const ACCEPTANCE = 0.7;
const MOST_ADAPTERS = 8;

export function simOptions(kinds: readonly string[]): readonly CommandOption[] {
  return [
    { flag: 'kind', value: 'KIND', summary: `Which engine to be: ${kinds.join(', ')}` },
    {
      flag: 'model',
      value: 'NAME',
      summary: 'Model it says it serves; its model profile by default, else demo',
    },
    {
      flag: 'port',
      value: 'P',
      summary: "Port on 127.0.0.1, the kind's own by default; 0 takes a free one",
    },
    {
      flag: 'model-profile',
      value: 'NAME',
      summary: `How fast it is, what suits the kind by default: ${PROFILES.join(', ')}`,
    },
    { flag: 'ranks', value: 'N', summary: 'Data-parallel ranks, 1 by default' },
    {
      flag: 'max-num-seqs',
      value: 'N',
      summary: 'Requests that run at once (llama-cpp: slots, 4 by default)',
    },
    { flag: 'speed', value: 'X', summary: '10 makes everything ten times as fast as the real one' },
    {
      flag: 'seed',
      value: 'S',
      summary: 'Repeats a run: the same seed and requests give the same answers',
    },
    {
      flag: 'kv-tokens',
      value: 'N',
      summary: 'Tokens its KV cache holds; a small one makes it preempt, or queue where the kind does that',
    },
    {
      flag: 'kv-cache-metrics',
      summary: 'Measure how long KV blocks live, lie idle and wait for their next use (kinds that can)',
    },
    {
      flag: 'kv-cache-metrics-sample',
      value: 'SHARE',
      summary: 'Share of the KV blocks that are measured, 0.01 by default; 1 measures all',
    },
    {
      flag: 'spec',
      value: 'GAMMA[:ALPHA]',
      summary: `Speculative decoding: tokens drafted a step, and the chance that one is accepted (${ACCEPTANCE})`,
    },
    { flag: 'lora', value: 'NAME[,NAME]', summary: 'Adapters it serves as further models' },
    { flag: 'error-rate', value: 'SHARE', summary: 'Share of the requests it fails on, 0 to 1' },
    { flag: 'abort-rate', value: 'SHARE', summary: 'Share of the requests it gives up, 0 to 1' },
    {
      flag: 'slow-start',
      value: 'SECONDS',
      summary: 'How long its model loads: it refuses or answers 503, as the kind does',
    },
    {
      flag: 'list-families',
      summary: "List the page's families and what makes each one move, and start nothing",
    },
  ];
}

/** Throws UsageError. */
export function simSettings(options: Options, simKinds: ReadonlyMap<string, number>): SimSettings {
  const kind = kindOf(options, [...simKinds.keys()]);
  const typedProfile = options.text('model-profile');
  const profile = typedProfile === undefined ? undefined : oneOf('model-profile', typedProfile, PROFILES);
  const number = (flag: string, limits: { min: number; max?: number }): number | undefined => {
    const text = options.text(flag);
    return text === undefined ? undefined : wholeNumber(flag, text, limits);
  };
  const speed = options.text('speed');
  return {
    kind,
    profile,
    model: options.text('model') ?? profile ?? 'demo',
    ranks: number('ranks', { min: 1, max: 64 }) ?? 1,
    maxNumSeqs: number('max-num-seqs', { min: 1, max: 100_000 }),
    speed: speed === undefined ? 1 : positiveNumber('speed', speed),
    seed: number('seed', { min: 0, max: 0xffffffff }) ?? 1,
    host: '127.0.0.1',
    port: number('port', { min: 0, max: 65_535 }) ?? simKinds.get(kind) ?? 0,
    ...given('kvTokens', number('kv-tokens', { min: 1 })),
    ...given('kvCacheMetrics', sampledBlocks(options)),
    ...given('speculation', speculationOf(options)),
    ...given('adapters', adaptersOf(options)),
    faults: faultsOf(options),
    ...given('slowStartMs', slowStartMs(options)),
  };
}

/** Throws UsageError. */
export function kindOf(options: Options, kinds: readonly string[]): string {
  const typed = options.text('kind');
  if (typed === undefined) throw new UsageError(`--kind is missing; allowed: ${kinds.join(', ')}`);
  if (kindNames.includes(typed) && !kinds.includes(typed)) {
    throw new UsageError(`--kind: ${typed} cannot be simulated; allowed: ${kinds.join(', ')}`);
  }
  return oneOf('kind', typed, kinds);
}

function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]: Value });
}

function sampledBlocks(options: Options): number | undefined {
  const sample = options.text('kv-cache-metrics-sample');
  if (sample !== undefined) return shareOf('kv-cache-metrics-sample', sample);
  return options.given('kv-cache-metrics') ? SAMPLED_BLOCKS : undefined;
}

function speculationOf(options: Options): SimSettings['speculation'] {
  const text = options.text('spec');
  if (text === undefined) return undefined;
  const [drafts = '', acceptance, ...more] = text.split(':');
  if (more.length > 0) {
    throw new UsageError(
      `--spec: found ${JSON.stringify(text)}; expected GAMMA or GAMMA:ALPHA, such as 3:0.7`,
    );
  }
  return {
    draftTokens: wholeNumber('spec', drafts, { min: 1, max: 64 }),
    acceptance: acceptance === undefined ? ACCEPTANCE : shareOf('spec', acceptance),
  };
}

function adaptersOf(options: Options): readonly string[] | undefined {
  const text = options.text('lora');
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const doubled = names.find((name, at) => names.indexOf(name) !== at);
  if (names.includes('')) {
    throw new UsageError(`--lora: found ${JSON.stringify(text)}; expected names with a comma between`);
  }
  if (doubled !== undefined) throw new UsageError(`--lora: ${JSON.stringify(doubled)} is there twice`);
  if (names.length > MOST_ADAPTERS) {
    throw new UsageError(`--lora: found ${names.length} adapters; at most ${MOST_ADAPTERS} are simulated`);
  }
  return names;
}

function faultsOf(options: Options): NonNullable<SimSettings['faults']> {
  const rate = (flag: string): number => {
    const text = options.text(flag);
    return text === undefined ? 0 : shareOf(flag, text);
  };
  const faults = { error: rate('error-rate'), abort: rate('abort-rate') };
  if (faults.error + faults.abort > 1) {
    throw new UsageError('--error-rate and --abort-rate: together they may be 1 at most');
  }
  return faults;
}

function slowStartMs(options: Options): number | undefined {
  const text = options.text('slow-start');
  return text === undefined ? undefined : positiveNumber('slow-start', text) * 1000;
}
