import { afterEach, expect, test } from 'vitest';
import { HttpFailure } from '../../src/kit/http.ts';
import { fixtureEngines } from '../kit/fixture-engines.ts';
import { type PageServer, pageServer } from '../kit/page-server.ts';
import { pageErrors, prometheus, promtool, withPrometheus } from '../kit/real-prometheus.ts';

let server: PageServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Every engine was measured by the gateway too, so that no family of ours is absent. */
async function served(): Promise<PageServer> {
  server = await pageServer(fixtureEngines);
  for (const engine of server.fleet.engines()) {
    const { kind, runtime: runtimeName } = engine.view();
    const at = { modelName: 'm "quoted" \\ \n', engineName: engine.name, kind, runtimeName };
    server.metrics.requestStarted();
    server.metrics.firstToken(0.2, at);
    server.metrics.interEvent(0.02, at);
    server.metrics.requestFinished({
      modelName: 'm',
      endpoint: 'chat/completions',
      status: 200,
      seconds: 1,
      engine: at,
    });
    server.metrics.choice('least-requests', 'lowest-load');
  }
  return server;
}

test.skipIf(promtool === undefined)(
  'promtool reads every page of real engine bytes without error (needs promtool)',
  async () => {
    const { url, fleet } = await served();
    const paths = ['/metrics/prometheus', ...fleet.engines().map(({ name }) => `/engines/${name}/metrics`)];
    for (const path of paths) {
      const text = await (await fetch(url + path)).text();
      expect([path, pageErrors(text)]).toEqual([path, []]);
    }
  },
);

test.skipIf(prometheus === undefined)(
  'a real Prometheus given /sd/prometheus has each engine up under its own instance, a lost one down, and nothing to warn of (needs prometheus)',
  async () => {
    const { url, answers, clock, fleet } = await served();
    answers['sglang'] = () => new HttpFailure('refused', 'connect ECONNREFUSED');
    await clock.advance(5_000);
    const instances = fleet.engines().map(({ name }) => `${name}:8000`);
    const http_sd_configs = [{ url: `${url}/sd/prometheus`, refresh_interval: '1s' }];
    await withPrometheus([{ job_name: 'penstock', http_sd_configs }], async (query) => {
      const up = await query('up', instances.length + 1);
      const down = up.filter(({ value }) => value[1] !== '1').map(({ metric }) => metric['instance']);
      expect(down).toEqual(['sglang:8000']);
      const gateway = url.replace('http://', '');
      expect(up.map(({ metric }) => metric['instance']).sort()).toEqual([...instances, gateway].sort());
      const running = await query('sum by (instance, kind) (vllm:num_requests_running)', 4);
      expect(running.map(({ metric }) => `${metric['instance']} ${metric['kind']}`).sort()).toEqual([
        'llama:8000 llama-cpp',
        'strata:8000 strata',
        'trtllm:8000 trtllm',
        'vllm:8000 vllm',
      ]);
      // What Prometheus itself says of samples it dropped: series that came twice.
      const dropped = await query('scrape_samples_scraped - scrape_samples_post_metric_relabeling', 7);
      expect(dropped.map(({ value }) => value[1])).toEqual(dropped.map(() => '0'));
    });
  },
  90_000,
);
