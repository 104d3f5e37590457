import { familyOf } from '../catalog/index.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { seriesLabels } from './engine-labels.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { histogramSamples } from './histogram-samples.ts';

/** vLLM's name -> what the gateway measured that stands in for it. */
const STANDS_FOR = {
  'vllm:time_to_first_token_seconds': 'firstToken',
  'vllm:inter_token_latency_seconds': 'interEvent',
  'vllm:e2e_request_latency_seconds': 'request',
} as const;

/**
 * Latency of an engine whose kind has no histograms, as the gateway saw it, under vLLM's names and marked
 * `source="gateway"`. For such kinds only: a kind's series never change their source at run time.
 */
export function standInLatency(
  metrics: GatewayMetrics,
  engine: { readonly name: string; readonly runtime: string; readonly kind: string },
): readonly WrittenFamily[] {
  const measured = metrics.latencies();
  return Object.entries(STANDS_FOR).flatMap(([name, which]) => {
    const samples = measured[which].entries().flatMap(({ labels, value }) => {
      if (labels['engine_name'] !== engine.name) return [];
      const of = {
        modelName: labels['model_name'] ?? '',
        engineName: engine.name,
        runtimeName: engine.runtime,
        kind: engine.kind,
      };
      return histogramSamples(name, seriesLabels(of, { source: 'gateway' }), value);
    });
    const family = familyOf(name);
    if (family === undefined || samples.length === 0) return [];
    return [{ name, type: 'histogram' as const, help: family.help, unit: family.unit, samples }];
  });
}
