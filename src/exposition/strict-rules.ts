import type { MetricType, Sample } from './exposition.ts';
import { SUFFIXES } from './family-of.ts';
import { SeriesKeys } from './series-keys.ts';
import { BucketCheck } from './strict-buckets.ts';
import { exemplarProblem, valueProblem } from './strict-values.ts';

/** @throws whatever the parser throws at a place. */
type Fail = (message: string, at: number) => never;

interface StrictFamily {
  readonly name: string;
  type: MetricType;
  readonly keywords: Set<string>;
  buckets: BucketCheck | undefined;
  hasSamples: boolean;
  /** Lines of another family came after it. */
  left: boolean;
}

/**
 * What the format documents ask for beyond what Prometheus checks: one group of lines a family, metadata first and
 * once, one sample a series, values that fit their type. Told of every line in the page's order.
 *
 * A rule that a line breaks fails there, one that a whole family breaks at its first line in question.
 */
export class StrictRules {
  readonly #openMetrics: boolean;
  readonly #fail: Fail;
  readonly #keys = new SeriesKeys();
  readonly #families = new Map<string, StrictFamily>();
  /** Families by the names that their samples may have beside the family's own. */
  readonly #bySampleName = new Map<string, StrictFamily>();
  /** With the time of the newest sample, where it has one. */
  readonly #series = new Map<string, number | undefined>();
  #current: StrictFamily | undefined;

  constructor({ openMetrics, fail }: { readonly openMetrics: boolean; readonly fail: Fail }) {
    this.#openMetrics = openMetrics;
    this.#fail = fail;
  }

  /** A HELP, TYPE or UNIT line. */
  metadata(keyword: 'HELP' | 'TYPE' | 'UNIT', name: string, at: number): void {
    const family = this.#families.get(name) ?? this.#newFamily(name);
    this.#enter(family, at);
    if (family.hasSamples)
      this.#fail(`${keyword} of "${name}" stands behind its samples and not before them`, at);
    if (family.keywords.has(keyword)) this.#fail(`a second ${keyword} of "${name}"`, at);
    family.keywords.add(keyword);
  }

  /** After `metadata` of the same TYPE line. */
  type(name: string, type: MetricType, at: number): void {
    const family = this.#families.get(name) ?? this.#newFamily(name);
    family.type = type;
    if (type === 'histogram' || type === 'summary' || type === 'gaugehistogram') {
      family.buckets = new BucketCheck(type, { openMetrics: this.#openMetrics });
    }
    const names = SUFFIXES[type].map((suffix) => name + suffix);
    const clash = this.#openMetrics ? this.#clash(family, names) : undefined;
    if (clash !== undefined) this.#fail(`families "${name}" and "${clash}" share a sample name`, at);
    for (const sampleName of names) this.#bySampleName.set(sampleName, family);
  }

  sample(sample: Sample, at: number): void {
    const { name } = sample;
    const family = this.#families.get(name) ?? this.#bySampleName.get(name) ?? this.#newFamily(name);
    this.#enter(family, at);
    family.hasSamples = true;
    this.#refuseTwice(sample, at);
    const suffix = name.slice(family.name.length);
    const problem =
      (this.#openMetrics
        ? (valueProblem(family, suffix, sample) ?? exemplarProblem(family, suffix, sample))
        : undefined) ?? family.buckets?.sample(this.#keys.withoutBound(sample.labels), suffix, sample, at);
    if (problem !== undefined) this.#fail(problem, at);
  }

  /** No more lines come, or none of the family that the last one was of. */
  end(): void {
    const found = this.#current?.buckets?.end();
    if (found !== undefined) this.#fail(found.problem, found.at);
  }

  #newFamily(name: string): StrictFamily {
    const family: StrictFamily = {
      name,
      type: 'unknown',
      keywords: new Set(),
      buckets: undefined,
      hasSamples: false,
      left: false,
    };
    this.#families.set(name, family);
    return family;
  }

  #enter(family: StrictFamily, at: number): void {
    if (this.#current === family) return;
    this.end();
    if (this.#current !== undefined) this.#current.left = true;
    if (family.left)
      this.#fail(`the lines of "${family.name}" are no single group: others stand between them`, at);
    this.#current = family;
  }

  #clash(family: StrictFamily, sampleNames: readonly string[]): string | undefined {
    const owner = this.#bySampleName.get(family.name);
    if (owner !== undefined && owner !== family) return owner.name;
    return sampleNames.find((name) => this.#families.has(name) || this.#bySampleName.has(name));
  }

  /** OpenMetrics allows further samples of a series when each has a later time. */
  #refuseTwice({ name, labels, timestampMs }: Sample, at: number): void {
    const key = `${name}${this.#keys.of(labels)}`;
    const before = this.#series.get(key);
    const later = before !== undefined && timestampMs !== undefined && timestampMs > before;
    if (this.#series.has(key) && !(this.#openMetrics && later)) {
      this.#fail(`a second sample of the same series of "${name}"`, at);
    }
    this.#series.set(key, timestampMs);
  }
}
