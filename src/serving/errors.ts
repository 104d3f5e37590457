export interface ErrorSpec {
  readonly status: number;
  /** OpenAI's error type. Official clients act on the status; this is advisory. */
  readonly type: 'invalid_request_error' | 'server_error';
  /** Who must act. Decides the log level: client info, engine warn, gateway error. */
  readonly fault: 'client' | 'engine' | 'gateway';
  readonly retryElsewhere: 'yes' | 'once' | 'no';
  /** For the reference page: what happened and what to do. */
  readonly about: string;
}

/** Every error this program answers with. The code is the discriminator; docs/reference/errors.md is made from here. */
export const ERRORS = {
  invalid_body: {
    status: 400,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'The body is not the JSON object the endpoint needs. The message says what and where.',
  },
  unsupported_parameter: {
    status: 400,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'A field asks for something that cannot be done here. `param` names the field.',
  },
  invalid_api_key: {
    status: 401,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about:
      'Keys are configured and the request carries none that fits: `Authorization: Bearer KEY` or `x-api-key`.',
  },
  host_refused: {
    status: 403,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about:
      'Without keys a listener on a loopback address answers only to loopback names, and to those in `listen.allowedHosts`: a web page could otherwise reach it under a name of its own.',
  },
  origin_refused: {
    status: 403,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about:
      'Without keys a listener on a loopback address takes requests from programs, and from pages of this machine and of the hosts in `listen.allowedHosts`: any page on the web could otherwise send it some.',
  },
  unknown_endpoint: {
    status: 404,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about:
      'Nothing is served at this path, or the engines that serve the model have no such endpoint: then the message names one and its kind.',
  },
  model_not_found: {
    status: 404,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'No engine serves the model. The message lists the models there are.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'The path exists for other methods only; the Allow header lists them.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'The body is larger than the configured limit.',
  },
  client_left: {
    status: 499,
    type: 'invalid_request_error',
    fault: 'client',
    retryElsewhere: 'no',
    about: 'The client closed the connection before its answer was complete. In logs and metrics only.',
  },
  internal: {
    status: 500,
    type: 'server_error',
    fault: 'gateway',
    retryElsewhere: 'no',
    about: 'A fault of this program. The log has the cause under the request id.',
  },
  engine_unreachable: {
    status: 502,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'yes',
    about: 'No connection to the engine: nothing was sent to it.',
  },
  engine_failed: {
    status: 502,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'once',
    about:
      'The engine closed the connection, or was given up by its health checks, after the request was sent and before its answer began; so did a second one where there was one.',
  },
  engine_auth: {
    status: 502,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'yes',
    about:
      "The engine refuses the key this gateway has for it, for the request or for its model list: correct the engine's `key` in the configuration.",
  },
  engine_broke_stream: {
    status: 502,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'no',
    about:
      'The engine broke off in the middle of its answer: a stream ends with one error event and no `[DONE]`. In logs and metrics also a stream that just stopped, or in which the engine said that it failed.',
  },
  no_engine_available: {
    status: 503,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'no',
    about:
      'Every engine that serves the model is down or loading, or one has not told its models yet and may serve it.',
  },
  gateway_exhausted: {
    status: 503,
    type: 'server_error',
    fault: 'gateway',
    retryElsewhere: 'yes',
    about:
      'This process, or its machine, has no descriptor or port left for a connection to an engine. The log says which (`EMFILE`: raise `ulimit -n`). It counts against no engine.',
  },
  draining: {
    status: 503,
    type: 'server_error',
    fault: 'gateway',
    retryElsewhere: 'no',
    about: 'This process is about to stop and takes no new requests.',
  },
  loop_detected: {
    status: 508,
    type: 'server_error',
    fault: 'engine',
    retryElsewhere: 'yes',
    about:
      'The request has been at this gateway before, or at more than eight others (`x-penstock-via`): the address of an engine leads back here. Other engines of the model are tried.',
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetails {
  /** For the log only; never in a body. */
  readonly cause?: unknown;
  /** The request field at fault. */
  readonly param?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** More headers for the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

/** The one error that becomes an answer. `message` reaches the client: it names no key and no internals. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.param = details.param;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.headers = details.headers ?? {};
  }

  /** Anything thrown, as an answer: what is not ours is `internal`, its text kept for the log. */
  static from(thrown: unknown): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    return new GatewayError('internal', 'Something went wrong in the gateway; its log has the cause', {
      cause: thrown,
    });
  }

  get spec(): ErrorSpec {
    return ERRORS[this.code];
  }

  get status(): number {
    return this.spec.status;
  }

  /** OpenAI's error shape. */
  toBody(): ErrorBody {
    return {
      error: {
        message: this.message,
        type: this.spec.type,
        param: this.param ?? null,
        code: this.code,
      },
    };
  }
}
