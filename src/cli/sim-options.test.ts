import { expect, test } from 'vitest';

import { UsageError } from '../kit/usage-error.ts';
import { parseOptions } from './options.ts';
import type { SimSettings } from './parts.ts';
import { simOptions, simSettings } from './sim-options.ts';

const KINDS = new Map([
  ['vllm', 8000],
  ['sglang', 30_000],
]);

function settingsOf(...argv: readonly string[]): SimSettings {
  const command = { name: 'sim', options: simOptions([...KINDS.keys()]) };
  return simSettings(parseOptions(command, ['--kind', 'vllm', ...argv]), KINDS);
}

test('what is not said is left to the kind', () => {
  expect(settingsOf()).toEqual({
    kind: 'vllm',
    profile: undefined,
    model: 'demo',
    ranks: 1,
    maxNumSeqs: undefined,
    speed: 1,
    seed: 1,
    host: '127.0.0.1',
    port: 8000,
    faults: { error: 0, abort: 0 },
  });
});

test.each([
  [['--kv-tokens', '4096'], { kvTokens: 4096 }],
  [['--kv-cache-metrics'], { kvCacheMetrics: 0.01 }],
  [['--kv-cache-metrics', '--kv-cache-metrics-sample', '1'], { kvCacheMetrics: 1 }],
  [['--spec', '3'], { speculation: { draftTokens: 3, acceptance: 0.7 } }],
  [['--spec', '5:0.4'], { speculation: { draftTokens: 5, acceptance: 0.4 } }],
  [['--lora', 'poet, judge'], { adapters: ['poet', 'judge'] }],
  [['--error-rate', '0.1', '--abort-rate', '.05'], { faults: { error: 0.1, abort: 0.05 } }],
  [['--slow-start', '2.5'], { slowStartMs: 2500 }],
])('%j', (argv, settings) => {
  expect(settingsOf(...argv)).toMatchObject(settings);
});

test.each([
  [['--spec', '0'], '--spec: found "0"; expected a whole number from 1 to 64'],
  [['--spec', '3:2'], '--spec: found "2"; expected a share from 0 to 1, such as 0.05'],
  [['--spec', '3:0.5:1'], '--spec: found "3:0.5:1"; expected GAMMA or GAMMA:ALPHA, such as 3:0.7'],
  [['--lora', 'poet,'], '--lora: found "poet,"; expected names with a comma between'],
  [['--lora', 'poet,poet'], '--lora: "poet" is there twice'],
  [['--lora', 'a,b,c,d,e,f,g,h,i'], '--lora: found 9 adapters; at most 8 are simulated'],
  [['--error-rate', '-1'], '--error-rate: found "-1"; expected a share from 0 to 1'],
  [
    ['--error-rate', '0.6', '--abort-rate', '0.6'],
    '--error-rate and --abort-rate: together they may be 1 at most',
  ],
  [['--slow-start', '0'], '--slow-start: found "0"; expected a number above 0'],
  [['--kv-tokens', 'many'], '--kv-tokens: found "many"; expected a whole number from 1'],
])('%j is refused with what is allowed', (argv, message) => {
  expect(() => settingsOf(...argv)).toThrow(UsageError);
  expect(() => settingsOf(...argv)).toThrow(message);
});
