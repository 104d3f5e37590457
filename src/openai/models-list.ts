/** OpenAI's `GET /v1/models`. */
export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelCard[];
}

export interface ModelCard {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  /** Context length in tokens; vLLM's name for it. */
  readonly max_model_len?: number;
}
