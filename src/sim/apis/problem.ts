import type { Exchange } from './exchange.ts';

/** What an engine may find wrong with a request. Each kind words and numbers it in its own way. */
export type Problem =
  | { readonly type: 'malformed-json'; readonly position: number; readonly empty: boolean }
  | { readonly type: 'missing'; readonly field: string; readonly body: unknown }
  | {
      readonly type: 'wrong-type';
      readonly field: string;
      readonly wanted: JsonType;
      readonly found: unknown;
    }
  | { readonly type: 'out-of-range'; readonly field: string; readonly least: number; readonly found: number }
  | { readonly type: 'unknown-field'; readonly field: string; readonly found: unknown }
  | { readonly type: 'message-without-role'; readonly message: unknown }
  | { readonly type: 'unknown-model'; readonly model: string }
  | TooLong
  | { readonly type: 'media-type' }
  | { readonly type: 'unauthorized' }
  | { readonly type: 'foreign-host' }
  | { readonly type: 'loading' }
  | { readonly type: 'unknown-path' }
  | { readonly type: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly type: 'engine-failed'; readonly message: string };

export type JsonType = 'array' | 'boolean' | 'integer' | 'number' | 'string' | 'object';

export interface TooLong {
  readonly type: 'too-long';
  readonly promptTokens: number;
  /** Absent: the request names no limit. */
  readonly maxTokens: number | undefined;
  readonly contextTokens: number;
}

export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.type);
    this.problem = problem;
  }
}

/** The answer to a problem. A string body goes out as it is. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** Of a string body; absent: no header. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How one kind answers problems, by type; what it leaves out it does not tell apart. */
export type Refusals = {
  readonly [Type in Problem['type']]?: (
    problem: Extract<Problem, { readonly type: Type }>,
    exchange: Exchange,
  ) => Refusal;
};

export function refusalOf(refusals: Refusals, problem: Problem, exchange: Exchange): Refusal | undefined {
  // Each entry takes the problem of its own key; TypeScript cannot follow that through an index.
  const refuse = refusals[problem.type] as ((problem: Problem, exchange: Exchange) => Refusal) | undefined;
  return refuse?.(problem, exchange);
}

/** The text of a fault of the engine itself. */
export function faultText(problem: Problem): string {
  return problem.type === 'engine-failed' ? problem.message : problem.type;
}
