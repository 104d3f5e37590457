import { profileOf } from '../engines/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { dispatch } from './apis/dispatch.ts';
import { type LateListener, listenLate } from './late-listener.ts';
import { startLoading } from './loading.ts';
import { contextOf } from './sim-context.ts';
import { simKindOf } from './sim-kind-of.ts';
import type { SimSettings } from './sim-settings.ts';

export type { SimSettings } from './sim-settings.ts';

export interface Sim {
  readonly url: string;
  readonly kind: string;
  /** Ends what runs and stops listening. */
  stop(): Promise<void>;
  /** As `kill -9`: every connection is cut where it is. */
  kill(): Promise<void>;
}

/**
 * Starts one simulated engine server. With a slow start it is returned while its model still loads.
 * @throws UsageError for what the kind cannot be; Error when it cannot listen
 */
export async function startSim(
  settings: SimSettings,
  { clock, log: parentLog }: { readonly clock: Clock; readonly log: Log },
): Promise<Sim> {
  const kind = simKindOf(settings);
  const log = parentLog.child({ engine: settings.kind });
  const context = contextOf(kind, settings, { clock, log, port: () => listener.port });
  const stopping = new AbortController();
  const loadingMs = (settings.slowStartMs ?? 0) / settings.speed;
  const loading = startLoading(kind.loading, {
    ms: loadingMs,
    healthPath: profileOf(settings.kind)?.health.path ?? '/health',
    clock,
    signal: stopping.signal,
  });
  const listener: LateListener = await listenLate(
    dispatch(kind.api(context), log, loading),
    { host: settings.host, port: settings.port, graceMs: 0, keepAliveMs: kind.keepAliveMs },
    { refusedMs: loadingMs * kind.loading.refusedShare, clock, log },
  );
  const stop = (): Promise<void> => {
    stopping.abort(new Error('the simulated engine was stopped'));
    return context.driver.stop();
  };
  return {
    url: listener.url,
    kind: settings.kind,
    async stop() {
      await stop();
      await listener.stop();
    },
    async kill() {
      await listener.kill();
      await stop();
    },
  };
}
