import { afterAll, beforeAll, expect, test } from 'vitest';

import { simConfig } from '../../src/cli/sim-next.ts';
import { simKinds } from '../../src/sim/sim-kinds.ts';
import { pageErrors, prometheus, promtool, withPrometheus } from '../kit/real-prometheus.ts';
import { eventually, startFleet, type TestFleet } from './fleet.ts';

const KINDS = [...simKinds.keys()];

let fleet: TestFleet;

beforeAll(async () => {
  fleet = await startFleet(
    KINDS.map((kind) => ({ kind, ranks: kind === 'vllm' ? 2 : 1, configured: simConfig(kind) })),
  );
  await eventually(async () => {
    const { data } = (await (await fetch(`${fleet.url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(KINDS.map((kind) => `model-${kind}`)));
  }, 30_000);
  await Promise.all(KINDS.map((kind) => chat(`model-${kind}`)));
  await eventually(async () => {
    const unread = [];
    for (const path of await discovered()) {
      const { status } = await fetch(fleet.url + path);
      if (status !== 200) unread.push(path);
    }
    expect(unread).toEqual([]);
  });
});

afterAll(() => fleet.stop());

async function chat(model: string): Promise<void> {
  const answer = await fetch(`${fleet.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect([model, answer.status]).toEqual([model, 200]);
  await answer.text();
}

async function text(path: string): Promise<string> {
  return (await fetch(fleet.url + path, { headers: { accept: 'text/plain' } })).text();
}

interface Target {
  readonly labels: Readonly<Record<string, string>>;
}

/** The pages that discovery points at. */
async function discovered(): Promise<readonly string[]> {
  const targets = (await (await fetch(`${fleet.url}/sd/prometheus`)).json()) as readonly Target[];
  return targets.map(({ labels }) => {
    const include = labels['__param_include'];
    return `${labels['__metrics_path__']}${include === undefined ? '' : `?include=${include}`}`;
  });
}

test.skipIf(promtool === undefined)(
  'promtool reads the page of every simulated kind, and of the fleet, without error (needs promtool)',
  async () => {
    for (const path of ['/metrics', ...(await discovered())])
      expect([path, pageErrors(await text(path))]).toEqual([path, []]);
  },
);

test('no series stands on two pages of one discovery', async () => {
  const seen = new Map<string, string>();
  for (const path of await discovered()) {
    for (const line of (await text(path)).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const series = line.slice(0, line.lastIndexOf(' '));
      expect([series, seen.get(series)]).toEqual([series, undefined]);
      seen.set(series, path);
    }
  }
  expect(seen.size).toBeGreaterThan(1_000);
});

test.skipIf(prometheus === undefined)(
  'a real Prometheus takes a fleet of all simulated kinds, engine by engine and as one target, and has nothing to warn of (needs prometheus)',
  async () => {
    const { host } = new URL(fleet.url);
    const jobs = [
      {
        job_name: 'engines',
        http_sd_configs: [{ url: `${fleet.url}/sd/prometheus`, refresh_interval: '1s' }],
      },
      { job_name: 'whole', static_configs: [{ targets: [host] }] },
    ];
    await withPrometheus(jobs, async (query, ownPage) => {
      await query('up == 1', KINDS.length + 2);
      for (const job of ['engines', 'whole'])
        await query(`count by (engine_name) ({job="${job}", __name__=~"vllm:.+"})`, KINDS.length);
      // Either way the same series: what one way has beyond the other is only who was scraped.
      const [whole, engines] = [
        await query('count({job="whole", __name__=~"vllm:.+"})'),
        await query('count({job="engines", __name__=~"vllm:.+"})'),
      ];
      expect(engines[0]?.value[1]).toBe(whole[0]?.value[1]);
      const dropped = await query('scrape_samples_scraped - scrape_samples_post_metric_relabeling');
      expect(dropped.map(({ value }) => value[1])).toEqual(dropped.map(() => '0'));
      const own = await ownPage();
      for (const what of ['duplicate_timestamp', 'out_of_order', 'out_of_bounds'])
        expect(own).toMatch(new RegExp(`^prometheus_target_scrapes_sample_${what}_total 0$`, 'm'));
    });
  },
  120_000,
);
