import { startApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { silentLog } from '../../src/kit/log.ts';
import { seededRandom } from '../../src/kit/random.ts';
import { type Sim, type SimSettings, startSim } from '../../src/sim/start-sim.ts';

/** A gateway in front of simulated engines, all on free loopback ports. */
export interface TestFleet {
  readonly url: string;
  readonly sims: readonly Sim[];
  stop(): Promise<void>;
}

/** What the gateway's config says of an engine beyond its address. */
interface Configured {
  readonly kind?: string;
  readonly metrics?: string;
}

type TestEngine = { readonly kind: string; readonly configured?: Configured } & Partial<SimSettings>;

const testWorld = { clock: systemClock, random: seededRandom(1), log: silentLog, version: '0.0.0' };

/** `config` is the content of a config file without its engines. */
export async function startFleet(engines: readonly TestEngine[], config: object = {}): Promise<TestFleet> {
  const sims = await Promise.all(engines.map((engine) => startTestSim(engine)));
  const app = await startGateway(
    sims.map(({ url, kind }, at) => ({ url, name: `${kind}-${at}`, ...engines[at]?.configured })),
    config,
  );
  return {
    url: app.url,
    sims,
    async stop() {
      await app.stop();
      await Promise.all(sims.map((sim) => sim.stop()));
    },
  };
}

function startTestSim(engine: TestEngine): Promise<Sim> {
  return startSim(
    {
      model: `model-${engine.kind}`,
      profile: 'llama-3-8b-h100',
      ranks: 1,
      maxNumSeqs: undefined,
      speed: 10,
      seed: 1,
      host: '127.0.0.1',
      port: 0,
      ...engine,
    },
    testWorld,
  );
}

async function startGateway(
  engines: readonly ({ readonly url: string; readonly name: string } & Configured)[],
  config: object = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const resolved = await resolveConfig(
    { listen: { port: 0 }, scrape: { interval: '100ms' }, ...config, engines },
    { name: 'test.yaml', position: () => '' },
    { env: {}, readFile: () => Promise.reject(new Error('no files here')) },
  );
  return startApp(resolved, testWorld);
}

/** Asks again until `check` no longer throws: what is awaited becomes true by itself, soon, or the test fails. */
export async function eventually<T>(check: () => Promise<T> | T, withinMs = 10_000): Promise<T> {
  const until = systemClock.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (systemClock.now() > until) throw error;
      await systemClock.sleep(20);
    }
  }
}
