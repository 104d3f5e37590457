import type { Config } from '../config/config.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import type { Random } from '../kit/random.ts';

/** Something that listens until it is stopped. */
export interface Running {
  readonly url: string;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Time, chance and where to write: what every long-lived part is given. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface SimSettings {
  readonly kind: string;
  readonly model: string;
  /** Slug of a row of the model profiles: how fast it is. */
  readonly profile: string;
  readonly ranks: number;
  /** Absent: what the kind starts with. */
  readonly maxNumSeqs: number | undefined;
  /** 2: everything takes half the time. */
  readonly speed: number;
  readonly seed: number;
  readonly host: string;
  readonly port: number;
}

export type StartApp = (config: Config, world: World) => Promise<Running>;
export type StartSim = (settings: SimSettings, world: World) => Promise<Running>;
