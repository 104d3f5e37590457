import type { startApp, World } from '../app.ts';
import type { startSim } from '../sim/start-sim.ts';

/** Something that listens until it is stopped. */
export interface Running {
  readonly url: string;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** What the commands start, so that a test can pass something that only remembers being started. */
export type StartApp = (...args: Parameters<typeof startApp>) => Promise<Running>;
export type StartSim = (...args: Parameters<typeof startSim>) => Promise<Running>;
export type SimSettings = Parameters<typeof startSim>[0];
export type { World };
