import type { EngineProfile } from '../../src/engines/profile.ts';
import { vllm } from '../../src/engines/vllm.ts';
import { Fleet } from '../../src/fleet/fleet.ts';
import type { FleetSettings } from '../../src/fleet/fleet-settings.ts';
import { newChoices } from '../../src/gateway/choices.ts';
import type { GatewayParts } from '../../src/gateway/gateway-parts.ts';
import { gatewayRoutes } from '../../src/gateway/server.ts';
import type { Upstream } from '../../src/gateway/upstream.ts';
import { UndiciUpstream } from '../../src/gateway/upstream-undici.ts';
import { type Clock, systemClock } from '../../src/kit/clock.ts';
import { seededRandom } from '../../src/kit/random.ts';
import { policies } from '../../src/routing/index.ts';
import type { Policy } from '../../src/routing/policy.ts';
import { type Keys, noKeys } from '../../src/serving/keys.ts';
import { type Listener, listen } from '../../src/serving/listen.ts';
import { createRouter } from '../../src/serving/routes.ts';
import { collectingLog, type LogLine } from './collecting-log.ts';
import { type CollectedMeter, collectingMeter } from './collecting-meter.ts';
import { servedModel } from './engine-view.ts';

export interface TestEngine {
  readonly name: string;
  readonly url: string;
  readonly models?: readonly string[];
  readonly key?: string;
  /** vLLM, or the gateway's. */
  readonly profile?: EngineProfile;
}

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly fleet: Fleet;
  readonly meter: CollectedMeter;
  readonly lines: readonly LogLine[];
  /** Engines whose models were to be read again. */
  readonly relooked: readonly string[];
  /** Of all engines together. */
  readonly inFlight: () => number;
  readonly parts: GatewayParts;
  /** One engine more. */
  learn(engine: TestEngine): void;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly aliases?: Readonly<Record<string, string>>;
  readonly keys?: Keys;
  readonly bodyBytes?: number;
  readonly policy?: Policy;
  readonly readiness?: GatewayParts['readiness'];
  readonly profile?: EngineProfile;
  /** 10 s, as the program has it. */
  readonly headAfterMs?: number;
  readonly fleetSettings?: FleetSettings;
  readonly clock?: Clock;
  readonly instanceId?: string;
  readonly upstream?: Upstream;
}

/** Takes the candidates in the order of the fleet: what a test of failures wants to know beforehand. */
export const inOrder: Policy = {
  name: 'in-order',
  pick: (candidates) => ({ engine: candidates[0], reason: 'first' }),
};

/** The real path of a request on a real socket; engines are known without having been scraped. */
export async function startTestGateway(
  engines: readonly TestEngine[],
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { clock = systemClock } = options;
  const fleet = new Fleet({ clock }, options.fleetSettings);
  const relooked: string[] = [];
  const log = collectingLog();
  const meter = collectingMeter();
  const learn = ({ name, url, key, profile, models = ['m'] }: TestEngine): void => {
    const engine = fleet.add({ name, url, key, kind: undefined, runtime: undefined, metrics: undefined });
    engine.identify({
      profile: profile ?? options.profile ?? vllm,
      certainty: 'known',
      reason: 'the test says so',
      version: undefined,
      models: models.map((id) => servedModel(id)),
    });
    engine.reportAlive(clock.now());
  };
  for (const engine of engines) learn(engine);
  const upstream = new UndiciUpstream();
  const parts: GatewayParts = {
    instanceId: options.instanceId ?? 'this-gateway',
    fleet,
    policy: options.policy ?? policies['least-requests'](seededRandom(1)),
    meter,
    upstream: options.upstream ?? upstream,
    choices: newChoices(),
    clock,
    log,
    settings: {
      aliases: options.aliases ?? {},
      bodyBytes: options.bodyBytes ?? 1_048_576,
      headAfterMs: options.headAfterMs ?? 10_000,
    },
    readiness: options.readiness ?? (() => 'ready'),
    relook: ({ name }) => void relooked.push(name),
  };
  const keys = options.keys ?? noKeys;
  const router = createRouter(gatewayRoutes(parts), {
    keys,
    hostCheck: { listenerHost: '127.0.0.1', keyless: keys.client.length === 0, allowed: [] },
    log,
    clock,
    newRequestId: () => 'fresh-id',
    onError: ({ code }) => meter.error(code),
  });
  const listener: Listener = await listen(router, { host: '127.0.0.1', port: 0, graceMs: 0 });
  return {
    url: listener.url,
    port: listener.port,
    fleet,
    meter,
    lines: log.lines,
    relooked,
    inFlight: () => fleet.engines().reduce((total, { inFlight }) => total + inFlight, 0),
    parts,
    learn,
    async stop() {
      await listener.stop();
      await upstream.close();
    },
  };
}
