/** Totals that no family of the contract holds, for the kinds' own families. Seconds are the clock's. */
export interface Ledger {
  /** Requests that came. */
  received: number;
  /** Requests that ended by themselves. */
  finished: number;
  aborted: number;
  failed: number;
  preemptions: number;
  /** Steps that computed something, and sequences in them. */
  steps: number;
  stepSequences: number;
  lastStepSeconds: number;
  promptTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Requests that looked for a prefix, and those that found one. */
  lookups: number;
  hits: number;
  /** Speculation: steps of a sequence that had drafts, tokens drafted, tokens accepted of them. */
  drafts: number;
  draftedTokens: number;
  acceptedTokens: number;
  promptSeconds: number;
  decodeSeconds: number;
  /** Of requests that ended by themselves: their whole time, in the queue, and running. */
  requestSeconds: number;
  queueSeconds: number;
  inferenceSeconds: number;
  longestSequence: number;
  /** Of the last request that finished. */
  lastHitRate: number;
  lastDecodeRate: number;
  /** Since the start, as far as they are published. */
  readonly realtime: { computed: number; cached: number; decoded: number };
}

export function emptyLedger(): Ledger {
  return {
    received: 0,
    finished: 0,
    aborted: 0,
    failed: 0,
    preemptions: 0,
    steps: 0,
    stepSequences: 0,
    lastStepSeconds: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    lookups: 0,
    hits: 0,
    drafts: 0,
    draftedTokens: 0,
    acceptedTokens: 0,
    promptSeconds: 0,
    decodeSeconds: 0,
    requestSeconds: 0,
    queueSeconds: 0,
    inferenceSeconds: 0,
    longestSequence: 0,
    lastHitRate: 0,
    lastDecodeRate: 0,
    realtime: { computed: 0, cached: 0, decoded: 0 },
  };
}

/** A ratio that is 0 while there is nothing to divide by, as the engines show it. */
export function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

export function prefillRate({ promptTokens, cachedTokens, promptSeconds }: Readonly<Ledger>): number {
  return ratio(promptTokens - cachedTokens, promptSeconds);
}

/** The ledger of a whole engine; what is of the last request is that of the last rank. */
export function sumOf(ledgers: readonly Readonly<Ledger>[]): Ledger {
  const sum = emptyLedger();
  for (const ledger of ledgers) {
    for (const key of ADDED) sum[key] += ledger[key];
  }
  return { ...sum, ...latest(ledgers) };
}

const ADDED = [
  'received',
  'finished',
  'lookups',
  'hits',
  'requestSeconds',
  'queueSeconds',
  'inferenceSeconds',
  'aborted',
  'failed',
  'preemptions',
  'drafts',
  'draftedTokens',
  'acceptedTokens',
  'steps',
  'stepSequences',
  'promptTokens',
  'cachedTokens',
  'outputTokens',
  'promptSeconds',
  'decodeSeconds',
] as const;

function latest(ledgers: readonly Readonly<Ledger>[]): Partial<Ledger> {
  const last = ledgers.at(-1);
  if (last === undefined) return {};
  const { lastHitRate, lastDecodeRate, lastStepSeconds, longestSequence } = last;
  return { lastHitRate, lastDecodeRate, lastStepSeconds, longestSequence };
}
