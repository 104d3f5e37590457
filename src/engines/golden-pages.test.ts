import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageText, sharedPages } from '../../test/kit/engine-pages.ts';
import { parseExposition } from '../exposition/parse.ts';
import { combined } from './combine.ts';
import { contractOf } from './contract.ts';
import { type Detection, detectKind, evidenceOfPage } from './detect.ts';
import { genericProfile, profileOf } from './index.ts';
import { textOf } from './other-form.ts';
import { readSamples } from './read.ts';
import { readSignals } from './signals.ts';

const GOLDEN = join(import.meta.dirname, '../../test/fixtures/golden-pages');

/** Pages that are no exposition text: nothing on them says whose they are. */
const OTHER_FORMS: Readonly<Record<string, string>> = {
  'synthetic-mlc-llm.txt': 'mlc-llm',
  'synthetic-strata-metrics.json': 'strata',
  'trtllm-metrics-iteration-sample.json': 'trtllm-json',
  'trtllm-metrics-docs-iter154.json': 'trtllm-json',
  'trtllm-metrics-drained.json': 'trtllm-json',
};

const goldenOf = (page: string): string => page.replace(/\.(prom|txt|json)$/, '.json');
const others = Object.keys(OTHER_FORMS);
const texts = readdirSync(GOLDEN)
  .filter((golden) => !others.some((page) => goldenOf(page) === golden))
  .map((golden) => golden.replace(/\.json$/, '.prom'));

const pages = new Set([...texts, ...others, ...sharedPages().filter((file) => file.endsWith('.prom'))]);

for (const file of [...pages].sort()) {
  const text = pageText(file);
  const why = text === undefined ? ' (skipped: no ../shared/fixtures beside the repository)' : '';
  test.skipIf(text === undefined)(`${file} is read as its golden result says${why}`, async () => {
    await expect(resultOf(file, text ?? '')).toMatchFileSnapshot(join(GOLDEN, goldenOf(file)));
  });
}

function resultOf(file: string, text: string): string {
  const kind = OTHER_FORMS[file];
  const configured = kind === undefined ? undefined : profileOf(kind);
  const form = configured?.metrics?.otherForm;
  const page = form === undefined ? text : textOf(form, text);
  const exposition = parseExposition(new TextEncoder().encode(page), 'text-0.0.4');
  const { profile, certainty, reason } =
    configured === undefined
      ? detectKind(evidenceOfPage(exposition))
      : ({ profile: configured, certainty: 'none', reason: 'configured' } satisfies Detection);
  const reading = readSamples(profile, exposition.samples);
  const signals = readSignals(profile, exposition.samples);
  const names = new Set(exposition.samples.map(({ name }) => name));
  const result = {
    kind: profile.kind,
    certainty,
    reason,
    model: reading.modelName,
    ranks: reading.ranks,
    contract: contractOf(profile, signals),
    signals,
    families: combined(profile, reading),
    own: profile.own.map(({ name }) => name).filter((name) => names.has(name) || names.has(`${name}_count`)),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

test('a page of another form that no kind is configured for is read by nobody', () => {
  expect(genericProfile.metrics?.otherForm).toBeUndefined();
});
