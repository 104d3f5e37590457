/** What the operator said of an engine. */
export interface EngineSettings {
  readonly name: string;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Fixed by the operator; absent: told from the engine's answers. */
  readonly kind: string | undefined;
  readonly runtime: string | undefined;
  /** The gateway's own key to this engine. */
  readonly key: string | undefined;
  /** A path below `url`, or a full URL where metrics have an address of their own. */
  readonly metrics: string | undefined;
}
