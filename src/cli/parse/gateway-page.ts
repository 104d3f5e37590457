import { genericProfile } from '../../engines/index.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import type { Sample } from '../../exposition/exposition.ts';
import { wrap } from '../wrap.ts';

/** An engine that a gateway's page tells of. */
export interface GatewayEngine {
  readonly name: string;
  readonly kind: string;
}

/** Nothing is read from a page of many engines: what it has of one is not to be added to what it has of another. */
export const gatewayProfile: EngineProfile = {
  ...genericProfile,
  kind: 'penstock',
  title: 'Penstock',
  families: {},
};

/** These labels together are Penstock's alone. */
const ENGINE_LABELS = ['engine_name', 'kind', 'runtime_name'];
/** Of engines; `penstock:gateway_` counts requests too that reached none. */
const OF_ENGINES = /^(?:vllm|penstock:engine)(?::|_)/;

/** The engines on a page of Penstock's own, in its order; none on any other page. */
export function gatewayEngines(samples: readonly Sample[]): readonly GatewayEngine[] {
  const engines = new Map<string, GatewayEngine>();
  for (const { name: family, labels } of samples) {
    const { engine_name: name, kind } = labels;
    if (name === undefined || kind === undefined || !OF_ENGINES.test(family)) continue;
    if (ENGINE_LABELS.every((label) => labels[label] !== undefined)) engines.set(name, { name, kind });
  }
  return [...engines.values()];
}

/** Where the figures of each engine are. */
export function gatewayText(engines: readonly GatewayEngine[]): string {
  const rows = engines.map(({ name, kind }) => `    /engines/${encodeURIComponent(name)}/metrics  ${kind}\n`);
  return [
    'Kind\n',
    wrap(
      '  ',
      `This is a Penstock gateway's page: look at /engines/NAME/metrics for the figures of one engine, and with ?raw=1 for what it sent itself. Its ${engines.length} engines:`,
    ),
    ...rows,
  ].join('');
}
