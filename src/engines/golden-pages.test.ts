import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageText, readPage, sharedPages } from '../../test/kit/engine-pages.ts';
import { combined } from './combine.ts';
import { contractOf } from './contract.ts';
import { detectKind, evidenceOfPage } from './detect.ts';
import { readSamples } from './read.ts';
import { readSignals } from './signals.ts';

const GOLDEN = join(import.meta.dirname, '../../test/fixtures/golden-pages');
const PAGES =
  /^(vllm-|sglang-|trtllm-|llamacpp-|synthetic-(vllm|sglang|trtllm)-|synthetic-(strata-vllm-form|llm-d-inference-sim)).*\.prom$/;

const files = new Set([
  ...readdirSync(GOLDEN).map((file) => file.replace(/\.json$/, '.prom')),
  ...sharedPages().filter((file) => PAGES.test(file)),
]);

for (const file of [...files].sort()) {
  const isHere = pageText(file) !== undefined;
  const why = isHere ? '' : ' (skipped: no ../shared/fixtures beside the repository)';
  test.skipIf(!isHere)(`${file} is read as its golden result says${why}`, async () => {
    await expect(resultOf(file)).toMatchFileSnapshot(join(GOLDEN, file.replace(/\.prom$/, '.json')));
  });
}

function resultOf(file: string): string {
  const page = readPage(file);
  const { profile, certainty, reason } = detectKind(evidenceOfPage(page));
  const reading = readSamples(profile, page.samples);
  const signals = readSignals(profile, page.samples);
  const result = {
    kind: profile.kind,
    certainty,
    reason,
    model: reading.modelName,
    ranks: reading.ranks,
    contract: contractOf(profile, signals),
    signals,
    families: combined(profile, reading),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
