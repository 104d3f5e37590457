import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runEngine, shippedProfile } from '../../../test/kit/run-engine.ts';
import { createEngine } from './engine.ts';
import { type ModelProfile, modelProfiles } from './model-profile.ts';
import { requestOverheadMs, stepTimeMs } from './step-time.ts';

const decode = (sequences: number, contextTokens: number) => ({
  sequences,
  tokens: sequences,
  decodeContextTokens: sequences * contextTokens,
  prefillPairs: 0,
});

const prefill = (tokens: number) => ({
  sequences: 1,
  tokens,
  decodeContextTokens: 0,
  prefillPairs: (tokens * tokens) / 2,
});

test('a step time is the sum of host, root of squares, KV read and prefill attention', () => {
  const round: ModelProfile = {
    ...shippedProfile('home-8b-q4'),
    weightMs: 3,
    computeUsPerToken: 400,
    kvReadNsPerToken: 100,
    prefillPairMs: 1e-3,
    hostMs: 1,
    hostUsPerSequence: 500,
  };
  const batch = { sequences: 2, tokens: 10, decodeContextTokens: 1e6, prefillPairs: 500 };
  expect(stepTimeMs(round, batch)).toBeCloseTo(1 + 1 + 5 + 100 + 0.5, 9);
});

test('request overhead is r0 and r1 per prompt token, and 0 in what ships', () => {
  const measured = { ...shippedProfile('home-8b-q4'), requestMs: 20, requestUsPerPromptToken: 50 };
  expect(requestOverheadMs(measured, 1_000)).toBe(70);
  for (const shipped of modelProfiles) expect(requestOverheadMs(shipped, 1_000)).toBe(0);
});

// Published end-to-end figures and what the model is known to give for them (simulated, not fitted here).
test.each([
  ['8B on H100, batch 1', 'llama-3-8b-h100', decode(1, 300), 6.3, 6.48],
  ['8B on H100, batch 4', 'llama-3-8b-h100', decode(4, 300), 6.4, 6.59],
  ['8B on H100, batch 16 without prefills', 'llama-3-8b-h100', decode(16, 300), 6.5, undefined],
  ['8B on H200, batch 8', 'llama-3-8b-h100', decode(8, 96), 6.3, 833 / 128],
  ['70B TP4 on H200, batch 8', 'llama-3-70b-h100-tp4', decode(8, 96), 16, 2_078 / 128],
  ['8B on A100 80 GB, batch 1', 'llama-3-8b-a100', decode(1, 1_088), 12.1, undefined],
  ['70B TP4 prefill of 2,048', 'llama-3-70b-h100-tp4', prefill(2_048), 147, undefined],
  ['70B TP8 prefill of 2,048', 'llama-3-70b-h100-tp8', prefill(2_048), 94, undefined],
])('%s takes what the facts say', (_what, slug, batch, modelMs, publishedMs) => {
  const ms = stepTimeMs(shippedProfile(slug), batch);
  expect(Math.abs(ms / modelMs - 1)).toBeLessThan(0.02);
  if (publishedMs !== undefined) expect(Math.abs(ms / publishedMs - 1)).toBeLessThan(0.1);
});

test.each([
  [1, 6.3],
  [4, 6.4],
  [16, 6.5],
])(
  'short chats on an 8B H100 at concurrency %i have a time per output token within 10 %% of %f ms',
  (clients, expectedMs) => {
    const state = createEngine({ profile: shippedProfile('llama-3-8b-h100'), seed: 1 });
    const events = runEngine(state, {
      arrivals: Array.from({ length: clients }, (_, at) => ({
        atMs: 0,
        spec: { id: `chat-${at}`, promptTokens: 128, outputTokens: 256, finishReason: 'stop' },
      })),
    });
    const times = events
      .filter((event) => event.type === 'tokens' && event.id === 'chat-0')
      .map((e) => e.atMs);
    const tpotMs = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
    expect(Math.abs(tpotMs / expectedMs - 1)).toBeLessThan(0.1);
  },
);

const KERNEL_TABLE = join(
  import.meta.dirname,
  '../../../../shared/fixtures/calibration/kernel-sum-steptimes.csv',
);
const KERNELS_OF: Readonly<Record<string, string>> = {
  'llama-3-8b-h100': 'h100_sxm,vllm-0.24.0,llama3-8b,1',
  'llama-3-8b-a100': 'a100_sxm,vllm-0.14.0,llama3-8b,1',
  'llama-3-70b-h100-tp4': 'h100_sxm,vllm-0.24.0,llama3-70b,4',
  'llama-3-70b-h100-tp8': 'h100_sxm,vllm-0.24.0,llama3-70b,8',
  'llama-3-70b-a100-tp4': 'a100_sxm,vllm-0.14.0,llama3-70b,4',
  'qwen3-32b-h100-tp2': 'h100_sxm,vllm-0.24.0,qwen3-32b,2',
};

test.skipIf(!existsSync(KERNEL_TABLE)).each(modelProfiles.filter(({ measured }) => measured))(
  'the kernels of $slug are the published ones, from 1 to 8,192 tokens (needs kernel-sum-steptimes.csv)',
  (shipped) => {
    const rows = readFileSync(KERNEL_TABLE, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(`${KERNELS_OF[shipped.slug]},linear,`))
      .map((line) => line.split(','));
    expect(rows).toHaveLength(12);
    // The profile's compute is 1.25 times the kernels': norms, activations and sampling are not in the table.
    const kernels = {
      ...shipped,
      computeUsPerToken: shipped.computeUsPerToken / 1.25,
      hostMs: 0,
      hostUsPerSequence: 0,
    };
    const errors = rows.map((row) => {
      const batch = { sequences: 1, tokens: Number(row[5]), decodeContextTokens: 0, prefillPairs: 0 };
      return Math.abs(stepTimeMs(kernels, batch) / Number(row[7]) - 1);
    });
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.1);
    expect(Math.max(...errors)).toBeLessThan(0.25);
  },
);

test('every profile has its own slug, whole limits and numbers above 0', () => {
  expect(new Set(modelProfiles.map(({ slug }) => slug)).size).toBe(modelProfiles.length);
  for (const shipped of modelProfiles) {
    expect(shipped.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const [name, value] of Object.entries(shipped)) {
      if (typeof value !== 'number' || name.startsWith('request')) continue;
      expect(value, `${shipped.slug} ${name}`).toBeGreaterThan(0);
    }
    // Seldom can a single request be longer than the cache: a profile that could refuse its own context is a typo.
    expect(shipped.kvTokens).toBeGreaterThanOrEqual(shipped.contextTokens);
  }
  expect(modelProfiles.filter(({ measured }) => !measured).map(({ slug }) => slug)).toEqual(['home-8b-q4']);
});

test('the home box decodes 20 to 40 tokens a second, alone and with all four slots busy', () => {
  const home = shippedProfile('home-8b-q4');
  for (const sequences of [1, 4]) {
    const tokensPerSecond = 1_000 / stepTimeMs(home, decode(sequences, 1_000));
    expect(tokensPerSecond).toBeGreaterThan(20);
    expect(tokensPerSecond).toBeLessThan(40);
  }
});
