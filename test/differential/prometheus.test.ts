import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ExpositionError, type Sample } from '../../src/exposition/exposition.ts';
import { parseExposition } from '../../src/exposition/parse.ts';
import { seededRandom } from '../../src/kit/random.ts';
import { generatedPages, type MadePage, mutatedPages } from '../kit/page-mutations.ts';
import { prometheus, runPrometheus } from '../kit/real-prometheus.ts';

const PAGES = 200;
const CONTENT_TYPES = {
  'text-0.0.4': 'text/plain; version=0.0.4; charset=utf-8',
  'text-1.0.0': 'text/plain; version=1.0.0; charset=utf-8',
  'openmetrics-1.0.0': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Of a page: a refusal in words, or its series and values. */
type Outcome = { readonly refused: string } | { readonly series: ReadonlyMap<string, number> };

/** Where we mean to differ from Prometheus 2.42, and why. */
interface Difference {
  readonly why: string;
  readonly explains: (page: string, ours: Outcome, theirs: Outcome) => boolean;
}

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'Prometheus 3 takes an exemplar on any sample, and so do we; 2.42 on counters and buckets only',
    explains: (_, ours, theirs) => 'series' in ours && refusal(theirs, /does not support exemplars/),
  },
  {
    why: 'a NUL in quotes is data in both formats; the lexer of 2.42 stops at one in an exemplar, and only there',
    explains: (page, ours, theirs) =>
      'series' in ours && refusal(theirs, /^expected label value/) && / # \{[^\n]*\0/.test(page),
  },
  {
    why: 'blanks before a name are legal by the format; Prometheus takes them into the name, which is then none',
    explains: (_, ours, theirs) =>
      'series' in ours && refusal(theirs, /^invalid metric name or label names: .*__name__="(?: |\\t)/s),
  },
  {
    why: "a NUL ends the page for Prometheus' lexer, which drops the rest without a word: we say that it is there",
    explains: (page, ours) => page.includes('\0') && refusal(ours, /\\u0000/),
  },
];

function refusal(outcome: Outcome, words: RegExp): boolean {
  return 'refused' in outcome && words.test(outcome.refused);
}

const pages: readonly MadePage[] = [
  ...generatedPages(PAGES / 2, 1),
  ...mutatedPages(PAGES / 2, seededRandom(1)),
];

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': CONTENT_TYPES[page.format] }).end(page.bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test.skipIf(prometheus === undefined)(
  'a real Prometheus accepts, refuses and reads 200 pages as we do, but where a reason is given (needs prometheus)',
  { timeout: 90_000 },
  async () => {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const scrape = {
      job_name: 'pages',
      honor_labels: true,
      honor_timestamps: false,
      static_configs: pages.map((_, index) => ({
        targets: [host],
        labels: { __metrics_path__: `/${index}`, made_page: String(index) },
      })),
    };
    await runPrometheus([scrape], async ({ url, query }) => {
      // A target's `up` is stored with its samples: then all of them are there.
      await query('up', PAGES);
      const refusals = await refusalsOf(url);
      const unexplained: string[] = [];
      const used = new Set<Difference>();
      for (const [index, page] of pages.entries()) {
        const refused = refusals.get(String(index));
        const theirs: Outcome =
          refused === undefined ? { series: await storedSeries(url, String(index)) } : { refused };
        const ours = ourOutcome(page);
        if (agree(ours, theirs)) continue;
        const text = Buffer.from(page.bytes).toString('latin1');
        const reason = DIFFERENCES.find(({ explains }) => explains(text, ours, theirs));
        if (reason !== undefined) used.add(reason);
        else unexplained.push(described(index, page, ours, theirs));
      }
      expect(unexplained).toEqual([]);
      expect(DIFFERENCES.filter((one) => !used.has(one)).map(({ why }) => why)).toEqual([]);
      // Neither would show anything if nearly all went one way.
      expect(refusals.size).toBeGreaterThan(PAGES / 5);
      expect(refusals.size).toBeLessThan((PAGES * 4) / 5);
    });
  },
);

function described(index: number, { origin, format }: MadePage, ours: Outcome, theirs: Outcome): string {
  const only = (one: Outcome, other: Outcome): string => {
    if ('refused' in one) return `refused: ${one.refused}`;
    if ('refused' in other) return 'accepted';
    const differing = [...one.series].filter(([key, value]) => !Object.is(other.series.get(key), value));
    return JSON.stringify(differing.slice(0, 3).map(([key, value]) => [key, String(value)]));
  };
  return `page ${index} (${format}, ${origin}): ours ${only(ours, theirs)}; theirs ${only(theirs, ours)}`;
}

function ourOutcome({ bytes, format }: MadePage): Outcome {
  try {
    return { series: firstOfEach(parseExposition(bytes, format).samples) };
  } catch (error) {
    if (error instanceof ExpositionError) return { refused: error.message };
    throw error;
  }
}

/** Prometheus keeps the first of several samples of one series, and no label of an empty value. */
function firstOfEach(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const series = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    const key = seriesKey({ ...labels, __name__: name });
    if (!series.has(key)) series.set(key, value);
  }
  return series;
}

function agree(ours: Outcome, theirs: Outcome): boolean {
  if ('refused' in ours || 'refused' in theirs) return 'refused' in ours && 'refused' in theirs;
  return (
    ours.series.size === theirs.series.size &&
    [...ours.series].every(
      ([key, value]) => theirs.series.has(key) && Object.is(value, theirs.series.get(key)),
    )
  );
}

/** Page -> what Prometheus has against it. */
async function refusalsOf(url: string): Promise<ReadonlyMap<string, string>> {
  interface Target {
    readonly labels: Readonly<Record<string, string>>;
    readonly health: string;
    readonly lastError: string;
  }
  const { data } = (await (await fetch(`${url}/api/v1/targets?state=active`)).json()) as {
    data: { activeTargets: readonly Target[] };
  };
  return new Map(
    data.activeTargets
      .filter(({ health }) => health === 'down')
      .map(({ labels, lastError }) => [labels['made_page'] ?? '', lastError]),
  );
}

const REPORTED =
  /^(?:up|scrape_(?:duration_seconds|samples_scraped|samples_post_metric_relabeling|series_added))$/;

async function storedSeries(url: string, page: string): Promise<ReadonlyMap<string, number>> {
  const query = encodeURIComponent(`{made_page="${page}"}`);
  const { data } = (await (await fetch(`${url}/api/v1/query?query=${query}`)).json()) as {
    data: { result: readonly { metric: Record<string, string>; value: [number, string] }[] };
  };
  return new Map(
    data.result
      .filter(({ metric }) => !REPORTED.test(metric['__name__'] ?? ''))
      .map(({ metric: { made_page: _, instance: __, job: ___, ...labels }, value }) => [
        seriesKey(labels),
        Number(value[1].replace('Inf', 'Infinity')),
      ]),
  );
}

function seriesKey(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}
