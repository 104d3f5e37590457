/** One answer of an engine, as kept for telling its kind. Header names in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What was seen of an engine so far; each is absent until it was asked for or when it did not answer. */
export interface Evidence {
  readonly health?: Answer;
  readonly version?: Answer;
  readonly models?: Answer;
  /** `GET /`: Ollama says who it is there. */
  readonly root?: Answer;
  /** What answered at the `confirmPath` of the kind that is asked about. */
  readonly confirmed?: Answer;
  /** Names of the families on its metrics page. */
  readonly families?: ReadonlySet<string>;
  /** Names of all labels seen on that page. */
  readonly labels?: ReadonlySet<string>;
}

/** Why an engine is taken for a kind. Family names alone prove the naming, not the engine: never `known`. */
export interface Mark {
  readonly certainty: 'known' | 'guess';
  /** For a person: `/v1/models says owned_by "vllm"`. */
  readonly reason: string;
}
