import { profileOf } from '../engines/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { UsageError } from '../kit/usage-error.ts';
import { listen } from '../serving/listen.ts';
import { dispatch } from './apis/dispatch.ts';
import { contextOf } from './sim-context.ts';
import { allSimKinds, type SimKind } from './sim-kinds.ts';
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
 * Starts one simulated engine server.
 * @throws UsageError for a kind, profile or number of ranks there is not; Error when it cannot listen
 */
export async function startSim(
  settings: SimSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Sim> {
  const kind = kindOf(settings);
  const context = contextOf(kind, settings, { clock, log: log.child({ engine: settings.kind }) });
  const listener = await listen(dispatch(kind.api(context), context.log), {
    host: settings.host,
    port: settings.port,
    graceMs: 0,
    keepAliveMs: kind.keepAliveMs,
  });
  return {
    url: listener.url,
    kind: settings.kind,
    async stop() {
      await context.driver.stop();
      await listener.stop();
    },
    async kill() {
      await listener.kill();
      await context.driver.stop();
    },
  };
}

function kindOf({ kind, ranks }: SimSettings): SimKind {
  const found = allSimKinds.find((one) => one.kind === kind);
  if (found === undefined) {
    const known = allSimKinds.map((one) => one.kind).join(', ');
    throw new UsageError(`no engine of kind ${JSON.stringify(kind)} can be simulated; there are: ${known}`);
  }
  if (ranks > 1 && profileOf(kind)?.rankLabel === undefined) {
    throw new UsageError(
      `--ranks: ${kind} has no data-parallel ranks that its metrics tell apart; leave it at 1`,
    );
  }
  return found;
}
