import { afterEach } from 'vitest';

import { startApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { seededRandom } from '../../src/kit/random.ts';
import { collectingLog, type LogLine } from './collecting-log.ts';
import { type FakeEngine, jsonAnswer, type Script, startFakeEngine } from './fake-engine.ts';

/** An engine that is looked at like a vLLM, with a switch for each thing that can fail by itself. */
export interface WatchedEngine extends FakeEngine {
  /** Nothing is answered any more; connections are taken. */
  hangs: boolean;
  healthStatus: number;
}

export interface AppBench {
  engineThat(script: Script): Promise<WatchedEngine>;
  /** The whole program in front of these engines; scrapes every 100 ms. @param config without its engines */
  appTo(
    engines: Readonly<Record<string, { readonly url: string }>>,
    config?: object,
  ): Promise<{ readonly url: string; readonly lines: readonly LogLine[] }>;
}

/** Call at the top of a test file: what a test starts is stopped after it. */
export function useApp(): AppBench {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  return {
    async engineThat(script) {
      const state = { hangs: false, healthStatus: 200 };
      const engine = await startFakeEngine((request, socket) => {
        if (state.hangs) return;
        if (request.method === 'POST') return script(request, socket);
        socket.write(looked(request.target, state.healthStatus));
      });
      stops.push(engine.stop);
      return Object.assign(state, engine);
    },
    async appTo(engines, config = {}) {
      const log = collectingLog();
      const resolved = await resolveConfig(
        {
          listen: { port: 0 },
          scrape: { interval: '100ms', timeout: '200ms' },
          health: { interval: '100ms' },
          ...config,
          engines: Object.entries(engines).map(([name, { url }]) => ({ name, url })),
        },
        { name: 'test.yaml', position: () => '' },
        { env: {}, readFile: () => Promise.reject(new Error('no files here')) },
      );
      const app = await startApp(resolved, {
        clock: systemClock,
        random: seededRandom(1),
        log,
        version: '0.0.0',
      });
      stops.push(() => app.stop());
      return { url: app.url, lines: log.lines };
    },
  };
}

const page = 'vllm:num_requests_running{model_name="m"} 0\nvllm:num_requests_waiting{model_name="m"} 0\n';

function looked(target: string, healthStatus: number): Buffer {
  switch (target) {
    case '/health':
      return jsonAnswer('', `${healthStatus} Whatever`);
    case '/version':
      return jsonAnswer({ version: '0.26.0' });
    case '/v1/models':
      return jsonAnswer({ data: [{ id: 'm', owned_by: 'vllm' }] });
    case '/metrics':
      return Buffer.from(
        `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
      );
    default:
      return jsonAnswer({ detail: 'Not Found' }, '404 Not Found');
  }
}
