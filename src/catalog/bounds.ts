/** Upper bounds of histograms, without +Inf, as the engines' sources have them. */

/** vLLM's time to first token. V0 before 0.7 stopped at 10. */
export const firstTokenBounds = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
  2560,
] as const;

/** vLLM's inter-token latency and mean time per output token. V0 stopped at 2.5. */
export const interTokenBounds = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
] as const;

/** vLLM's end-to-end latency and its phases. */
export const requestBounds = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
] as const;

/** vLLM's histogram of `n`. */
export const paramsNBounds = [1, 2, 5, 10, 20] as const;

/** vLLM's tokens of one step. */
export const iterationBounds = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384] as const;

/** vLLM's residency of KV blocks. */
export const kvBlockBounds = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800,
] as const;

/** vLLM's KV transfers over NIXL: duration, set-up, bytes, descriptors. */
export const nixlTransferBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 5] as const;

/** The set-up of a NIXL transfer; a 3FS save or load has the same. */
export const nixlPostBounds = [0.001, ...nixlTransferBounds] as const;

export const nixlBytesBounds = [
  2048, 8192, 32768, 131072, 524288, 2097152, 8388608, 33554432, 134217728, 536870912, 2147483648, 8589934592,
] as const;

export const nixlDescriptorBounds = [
  10, 20, 30, 50, 75, 100, 200, 400, 1000, 2000, 4000, 10000, 20000, 50000,
] as const;

export const mooncakeBounds = [
  0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 4,
] as const;

/** Bytes of one move between GPU and host. */
export const offloadSizeBounds = [1e6, 5e6, 1e7, 2e7, 4e7, 6e7, 8e7, 1e8, 1.5e8, 2e8] as const;

export const offloadSyncBounds = [1e-5, 5e-5, 1e-4, 5e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1] as const;

export const offloadAsyncBounds = [1e-4, 5e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

export const offloadAllocationBounds = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144] as const;

export const websocketBounds = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800] as const;

/**
 * vLLM's token histograms: 1, 2, 5, 10, ... up to the longest context. Replicas with different limits therefore have
 * different bounds.
 */
export function oneTwoFive(upTo: number): readonly number[] {
  const bounds: number[] = [];
  for (let power = 1; power <= upTo; power *= 10) {
    for (const step of [1, 2, 5]) {
      if (step * power <= upTo) bounds.push(step * power);
    }
  }
  return bounds;
}

/** Token bounds of a context of 128k; an engine with another limit has other bounds. */
export const tokenBounds = oneTwoFive(131_072);

export const sglangFirstTokenBounds = [
  0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400,
] as const;

export const sglangRequestBounds = [...sglangFirstTokenBounds, 600, 1200, 1800, 2400] as const;

export const sglangInterTokenBounds = [
  0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6,
  0.8, 1, 2, 4, 6, 8,
] as const;

export const sglangQueueBounds = [
  0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200,
  300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000,
] as const;

/** Prompt and generation tokens of one request. */
export const sglangTokenBounds = [
  100, 300, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 12500, 15000, 17500,
  20000, 22500, 25000, 27500, 30000, 35000, 40000, 60000, 80000, 1e5, 2e5, 3e5, 4e5, 6e5, 8e5, 1e6, 1.1e6,
] as const;

/** Milliseconds of a KV transfer between prefill and decode. */
export const sglangTransferBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const;

export const trtllmPrefillBounds = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 640, 2560,
] as const;

/** TGI's durations: a geometric row. */
export const tgiDurationBounds = Array.from({ length: 35 }, (_, step) => 0.0001 * 1.5 ** (step + 1));

/** LMDeploy's time of an output token. */
export const lmdeployTokenBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
] as const;

/** Gateway's gap between two content events: finer than any engine's, since fast decoding is a few milliseconds. */
export const gatewayInterEventBounds = [
  0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2.5, 5,
  10, 20, 40, 80,
] as const;

/** Gateway's whole request: from an embedding of some milliseconds to an answer of two hours. */
export const gatewayRequestBounds = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 40, 60, 120, 240, 480, 960, 1920, 7680,
] as const;
