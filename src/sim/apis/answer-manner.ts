import type { Life } from '../life.ts';
import type { Headers } from './answer.ts';

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}

/** How an answer ends: `abort` when the engine gave it up. */
export type Finish = 'stop' | 'length' | 'abort';

/** What one step put out, on its way to the client: one token, or several when drafts were accepted. */
export interface StreamToken {
  /** Empty for an end token. */
  readonly text: string;
  /** On the last one. */
  readonly finish: Finish | undefined;
  readonly usage: Usage;
}

/** What a finished answer is made of. */
export interface Result {
  readonly text: string;
  readonly finish: Finish;
  readonly usage: Usage;
  readonly life: Readonly<Life>;
}

/** One kind's way to say an answer. Events are complete texts, blank line included. */
export interface AnswerManner {
  readonly body: (result: Result) => unknown;
  readonly stream: {
    readonly headers: Headers;
    /** When the head goes out: when the request is taken, or with the first output. */
    readonly headAt: 'accepted' | 'first output';
    readonly accepted?: () => string;
    /** Just before the first token. */
    readonly begin: (usage: Usage) => string;
    readonly token: (token: StreamToken) => string;
    readonly end: (result: Result) => string;
    /** Written after that much silence, once the head is out. */
    readonly ping?: { readonly everyMs: number; readonly text: string };
    /** When the engine fails in the middle; absent: the connection is cut. */
    readonly failed?: (message: string) => string;
  };
}

/** One server-sent event. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';
