import { familyOf } from '../catalog/index.ts';
import { profileOf } from '../engines/index.ts';
import { pageOf } from '../engines/write.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { type Movement, movementOf } from './movement.ts';
import { measuresBlocks } from './sim-kind-of.ts';
import type { SimKind } from './sim-kinds.ts';
import { emptyLedger, type Ledger } from './stats/ledger.ts';
import { ownMakerOf } from './stats/own/own-values.ts';
import { restReading } from './stats/rest-reading.ts';
import type { StatsView } from './stats/sim-stats.ts';
import { flagFamilies } from './stats/switched-on.ts';

export interface SimulatedFamily {
  readonly name: string;
  readonly type: WrittenFamily['type'];
  readonly movement: Movement;
}

/** Every family that a simulated page of this kind can have, all its flags given, by name. */
export function simulatedFamilies(kind: SimKind): readonly SimulatedFamily[] {
  const profile = profileOf(kind.kind);
  if (profile?.page === undefined) return [];
  const { blockTokens } = kind;
  const sizes = { contextTokens: blockTokens, kvTokens: blockTokens, blockTokens };
  const rest = restReading(profile, {
    ...sizes,
    model: 'm',
    ranks: 1,
    draftTokens: 1,
    switchedOn: new Set([
      ...kind.shows,
      ...flagFamilies.spec,
      ...flagFamilies['error-rate'],
      ...(measuresBlocks(kind) ? flagFamilies['kv-cache-metrics'] : []),
    ]),
  });
  const own = ownMakerOf(kind.kind, { ...sizes, maxSeqs: 1 })(afterEverything());
  const page = pageOf(profile, rest, own);
  return [...page.map(({ name, type }) => ({ name, type })), ...atFirstUse(kind)]
    .map(({ name, type }) => ({ name, type, movement: movementOf(profile, name) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** An engine to which all has happened that can: some families are not there before. */
function afterEverything(): StatsView {
  const ledger: Ledger = emptyLedger();
  for (const key of Object.keys(ledger) as (keyof Ledger)[]) {
    if (key !== 'realtime') ledger[key] = 1;
  }
  const figure = { running: 1, waiting: 1, kvUsage: 1, kvBlocksUsed: 1 };
  return { ledgers: [ledger], gauges: [], figures: [figure], preempted: [1], total: ledger };
}

/** Adapters are named once there are requests. */
function atFirstUse(kind: SimKind): readonly { name: string; type: WrittenFamily['type'] }[] {
  if (!kind.listsAdapters) return [];
  return flagFamilies.lora.flatMap((name) => {
    const supply = profileOf(kind.kind)?.families[name];
    const family = familyOf(name);
    if (supply === undefined || !('names' in supply) || family === undefined) return [];
    return supply.names.slice(0, 1).map((pageName) => ({ name: pageName, type: family.type }));
  });
}
