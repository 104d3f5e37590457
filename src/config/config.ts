import type { KindOverride } from '../engines/override.ts';
import type { PolicyName } from '../routing/index.ts';

/** One engine as the operator named it, with its secrets read. */
export interface EngineConfig {
  /** `host-port` unless the operator gave one. */
  readonly name: string;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Absent: told from the engine's answers. */
  readonly kind: string | undefined;
  readonly runtime: string | undefined;
  /** The gateway's own key to this engine. */
  readonly key: string | undefined;
  /** A path below `url`, or a full URL. */
  readonly metrics: string | undefined;
}

/** Everything the operator decided, checked and frozen: parts get their own slice of it. */
export interface Config {
  readonly engines: readonly EngineConfig[];
  /** What it says of kinds, checked: `withOverrides` makes the set of kinds of it. */
  readonly kinds: readonly KindOverride[];
  /** Name that clients may use -> model that engines serve. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly keys: {
    readonly client: readonly string[];
    /** At most one; a list like the others, as whoever checks keys takes them. */
    readonly scrape: readonly string[];
  };
  readonly listen: {
    readonly host: string;
    /** 0: the system picks a free one. */
    readonly port: number;
    readonly publicUrl: string | undefined;
    readonly allowedHosts: readonly string[];
    readonly insecure: boolean;
  };
  readonly routing: { readonly policy: PolicyName };
  readonly scrape: {
    readonly intervalMs: number;
    readonly timeoutMs: number;
    readonly maxPageBytes: number;
    readonly page: {
      readonly lines: number;
      readonly series: number;
      /** Of a label's name, and of its value. */
      readonly labelBytes: number;
    };
    readonly gzip: boolean;
    /** Between two looks at an engine's health path: `health.interval`. */
    readonly healthEveryMs: number;
  };
  readonly health: {
    readonly misses: number;
    readonly slowStartMs: number;
  };
  readonly breaker: {
    readonly faultsInARow: number;
    readonly faultShare: number;
    readonly windowMs: number;
    readonly leastInWindow: number;
    readonly openMs: number;
    readonly openAtMostMs: number;
  };
  readonly stream: {
    /** How long the head of an answer is held for its first event; 0: not at all. */
    readonly headAfterMs: number;
  };
  readonly limits: { readonly bodyBytes: number; readonly fleetPageSeries: number };
  readonly log: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    /** `auto`: text at a terminal, JSON elsewhere. */
    readonly format: 'auto' | 'text' | 'json';
  };
}
