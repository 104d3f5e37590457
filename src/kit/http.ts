/** What went wrong before a whole answer was there. An answer with an error status is an answer, not a failure. */
export type HttpFailureCode =
  | 'refused'
  | 'timeout'
  | 'too-large'
  | 'cut-off'
  | 'dns'
  | 'tls'
  /** It was spoken to in TLS and answers in something else. */
  | 'not-tls'
  /** It answers in something that is not HTTP. */
  | 'not-http'
  | 'other';

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly code: HttpFailureCode;

  constructor(code: HttpFailureCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded (gzip) and whole: a body that the connection cut off is a failure. */
  readonly body: Uint8Array;
}

export interface HttpGetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** From the call to the last byte of the body. */
  readonly timeoutMs: number;
  /** Of the decoded body. */
  readonly maxBytes: number;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Memory that nobody reads any more: the body may be written over it, and be a part of it. */
  readonly into?: Uint8Array | undefined;
}

export interface HttpClient {
  /**
   * One GET. A redirect is answered as it came: following it could carry a key to another host.
   * @throws HttpFailure, or the signal's reason.
   */
  get(url: string, options: HttpGetOptions): Promise<HttpAnswer>;
}
