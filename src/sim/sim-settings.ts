import type { FaultRates } from './fate.ts';
import type { Speculation } from './model/engine.ts';

export interface SimSettings {
  readonly kind: string;
  readonly model: string;
  /** Slug of a model profile; absent: one that suits the kind. */
  readonly profile: string | undefined;
  /** Data-parallel ranks. Only kinds whose page tells ranks apart have more than one. */
  readonly ranks: number;
  /** Absent: what the kind starts with. */
  readonly maxNumSeqs: number | undefined;
  /** 10: ten times as fast as the real one, in its own figures too. */
  readonly speed: number;
  readonly seed: number;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Asked of clients as the kind asks for it; kinds without keys take no notice. */
  readonly key?: string;
  /** Tokens the KV cache of a rank has room for; absent: the model profile's. */
  readonly kvTokens?: number;
  /** Share of the KV blocks whose lives are measured, for kinds that can; absent: none. */
  readonly kvCacheMetrics?: number;
  readonly speculation?: Speculation;
  /** LoRA adapters: further models it serves. */
  readonly adapters?: readonly string[];
  readonly faults?: FaultRates;
  /** How long its model takes to load, on the engine's clock. */
  readonly slowStartMs?: number;
}
