import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { referenceParser } from '../../test/kit/reference-parser.ts';
import { type Random, seededRandom } from '../kit/random.ts';
import {
  type Exposition,
  ExpositionError,
  type ExpositionFormat,
  type Family,
  type Labels,
  type Sample,
} from './exposition.ts';
import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';
import { parseExposition } from './parse.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');
const SMALL_BYTES = 4_096;
/** What most changes the meaning of a page. */
const BYTES = Array.from('\0\n \t"\\{}#=,1-.eN_é', (letter) => letter.charCodeAt(0));

interface Page {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: ExpositionFormat;
}

const pages: readonly Page[] = ['exposition', 'engine-metrics'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((file) => /\.(?:prom|om)$/.test(file))
    .map((name) => ({
      name,
      bytes: new Uint8Array(readFileSync(join(FIXTURES, folder, name))),
      format: name.endsWith('.om') ? 'openmetrics-1.0.0' : 'text-0.0.4',
    })),
);
const small = pages.filter(({ bytes }) => bytes.length <= SMALL_BYTES);
const large = pages.filter(({ bytes }) => bytes.length > SMALL_BYTES);

test('there are pages of both sizes', () => {
  expect(small.length).toBeGreaterThan(140);
  expect(large.length).toBeGreaterThan(7);
});

test('a page up to 4 kB, cut and changed at every byte, is read as the reference reads it or refused at a place', {
  timeout: 180_000,
}, () => {
  const random = seededRandom(1);
  const outcomes = new Outcomes();
  for (const page of small) {
    const check = checker(page, outcomes);
    for (let at = 0; at < page.bytes.length; at += 1) {
      check(page.bytes.subarray(0, at));
      check(page.bytes.with(at, otherByte(page.bytes[at] ?? 0, random)));
    }
  }
  // Neither would show anything if nearly all went one way.
  expect(outcomes.read).toBeGreaterThan(10_000);
  expect(outcomes.refused).toBeGreaterThan(10_000);
});

test('a larger page, cut or changed at 1,000 places, too', { timeout: 180_000 }, () => {
  const random = seededRandom(2);
  const outcomes = new Outcomes();
  for (const page of large) {
    const check = checker(page, outcomes);
    for (let count = 0; count < 1_000; count += 1) {
      const at = Math.floor(random() * page.bytes.length);
      const changed = page.bytes.with(at, otherByte(page.bytes[at] ?? 0, random));
      check(count % 4 === 0 ? page.bytes.subarray(0, at) : changed);
    }
  }
  expect(outcomes.read).toBeGreaterThan(1_000);
  expect(outcomes.refused).toBeGreaterThan(1_000);
});

/** One that means something, or the same with a bit flipped. */
function otherByte(byte: number, random: Random): number {
  if (random() < 0.5) return byte ^ (1 << Math.floor(random() * 8));
  return BYTES[Math.floor(random() * BYTES.length)] ?? 0;
}

class Outcomes {
  read = 0;
  refused = 0;
}

function checker({ name, format, bytes }: Page, outcomes: Outcomes): (damaged: Uint8Array) => void {
  const reference = referenceParser();
  const whole = attempt(() => parseExposition(bytes, format));
  const names = 'samples' in whole ? whole.samples.map((sample) => sample.name) : [];
  const table = nameTable(names.filter((_, index) => index % 3 === 0));
  let checks = 0;
  return (damaged) => {
    const outcome = attempt(() => parseExposition(damaged, format));
    const fast = attempt(() => ({ families: [], samples: fastRead(damaged, table) }));
    checks += 1;
    if (checks % 10 === 0) attempt(() => parseExposition(damaged, format, { strict: true }));
    const expected = reference(damaged, format);
    const context = (): string =>
      `${name}: ${JSON.stringify(new TextDecoder('latin1').decode(damaged)).slice(0, 5_000)}`;
    if (outcome instanceof ExpositionError) {
      outcomes.refused += 1;
      if (expected !== undefined) throw new Error(`refused: ${outcome.message}\n${context()}`);
      expect(outcome.line).toBeLessThanOrEqual(lineCount(damaged));
      expect(Math.min(outcome.line, outcome.column)).toBeGreaterThan(0);
      return;
    }
    outcomes.read += 1;
    if (expected === undefined) throw new Error(`not refused\n${context()}`);
    if (!same(outcome, expected)) expect(outcome, context()).toEqual(expected);
    const wanted = outcome.samples
      .filter((sample) => table.wanted.has(sample.name))
      .map(({ name: metric, labels, value }) => ({ name: metric, labels, value }));
    if (fast instanceof ExpositionError || !same(fast, { families: [], samples: wanted })) {
      expect(fast, context()).toEqual({ families: [], samples: wanted });
    }
  };
}

/** Far cheaper than `toEqual`, which then says what differs. */
function same(one: Exposition, other: Exposition): boolean {
  return (
    one.samples.length === other.samples.length &&
    one.samples.every((sample, index) => sameSample(sample, other.samples[index])) &&
    JSON.stringify(one.families.map(familyParts)) === JSON.stringify(other.families.map(familyParts))
  );
}

function familyParts({ name, type, help, unit }: Family): unknown {
  return [name, type, help, unit];
}

function sameSample(one: Sample, other: Sample | undefined): boolean {
  return (
    one.name === other?.name &&
    Object.is(one.value, other.value) &&
    one.timestampMs === other.timestampMs &&
    sameLabels(one.labels, other.labels) &&
    (one.exemplar === undefined) === (other.exemplar === undefined) &&
    (one.exemplar === undefined || JSON.stringify(one.exemplar) === JSON.stringify(other.exemplar))
  );
}

function sameLabels(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Anything but a refusal with a place is a crash. */
function attempt(read: () => Exposition): Exposition | ExpositionError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExpositionError) return error;
    throw error;
  }
}

function lineCount(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
}
