import type { Clock } from '../kit/clock.ts';

/** What a kind shows of itself while its model loads. */
export interface LoadingManner {
  /** Share of that time in which nobody listens. */
  readonly refusedShare: number;
  /** In the rest. `health` and `everything`: 503 there. `requests wait`: an answer comes when the model is there. */
  readonly listening: 'health' | 'everything' | 'requests wait';
}

export const loadingManner = {
  /** vLLM, TensorRT-LLM, Strata: the port is not listened on before the engine is ready. */
  refuses: { refusedShare: 1, listening: 'health' },
  /** SGLang: the same, then the health path says 503 until a first request has gone through. */
  warmsUp: { refusedShare: 0.8, listening: 'health' },
  /** llama-server: 503 on every path. */
  answers503: { refusedShare: 0, listening: 'everything' },
  /** Ollama: the listener is up at once, and a request waits for its model. */
  waits: { refusedShare: 0, listening: 'requests wait' },
} as const satisfies Readonly<Record<string, LoadingManner>>;

/** One engine's way to being ready. */
export interface Loading {
  readonly manner: LoadingManner;
  readonly healthPath: string;
  readonly ready: boolean;
  /** Rejects when the engine is stopped before. */
  readonly done: Promise<void>;
}

export const READY: Loading = {
  manner: loadingManner.refuses,
  healthPath: '/health',
  ready: true,
  done: Promise.resolve(),
};

/** Begins to load: ready after that time. */
export function startLoading(
  manner: LoadingManner,
  { ms, healthPath, clock, signal }: { ms: number; healthPath: string; clock: Clock; signal: AbortSignal },
): Loading {
  let ready = ms <= 0;
  const done = clock.sleep(ms, signal).then(() => {
    ready = true;
  });
  // Who waits for it hears of a stop; it may be that nobody does.
  done.catch(() => {});
  return {
    manner,
    healthPath,
    done,
    get ready() {
      return ready;
    },
  };
}
