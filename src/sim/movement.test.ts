import { expect, test } from 'vitest';

import { type Behaviour, behaviours } from '../../test/kit/sim-scenario.ts';
import { profileOf } from '../engines/index.ts';
import type { Movement } from './movement.ts';
import { measuresBlocks } from './sim-kind-of.ts';
import { allSimKinds, type SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';
import { simulatedFamilies } from './simulated-families.ts';

const withPages = allSimKinds.filter(({ kind }) => profileOf(kind)?.page !== undefined);

/** Little room, so that requests wait; the cache is small only where a flag says so. */
function plain({ kind, profile, admission }: SimKind): Partial<SimSettings> {
  // A box at home is too slow to get through so much in the same time.
  return { kind, profile, maxNumSeqs: 2, speed: admission === 'slots' ? 20 : 1 };
}

function withAllFlags(kind: SimKind): Partial<SimSettings> {
  const slots = kind.admission === 'slots';
  return {
    ...plain(kind),
    maxNumSeqs: slots ? 2 : 6,
    kvTokens: slots ? 2048 : 1024,
    speculation: { draftTokens: 3, acceptance: 0.6 },
    faults: { error: 0.1, abort: 0.1 },
    ...(measuresBlocks(kind) ? { kvCacheMetrics: 1 } : {}),
    ...(kind.listsAdapters ? { adapters: ['poet', 'judge'] } : {}),
  };
}

const AFTER: Readonly<Record<Movement['does'], Behaviour>> = {
  moves: 'moves',
  'moves with': 'moves',
  stands: 'fixed',
  'stays at 0': 'zero',
};

test.each(withPages.map((kind) => [kind.kind, kind] as const))(
  'with all flags every family of %s does what the list says of it, and no other is there',
  { timeout: 30_000 },
  async (_, kind) => {
    const did = await behaviours(withAllFlags(kind));
    const families = simulatedFamilies(kind);
    // Some kinds leave a family out until something happened to it.
    const all = families.map(({ name }) => [name, did.get(name) ?? 'zero']);
    expect(all).toEqual(families.map(({ name, movement }) => [name, AFTER[movement.does]]));
    const known = new Set(families.map(({ name }) => name));
    expect([...did.keys()].filter((name) => !known.has(name))).toEqual([]);
  },
);

test.each(withPages.map((kind) => [kind.kind, kind] as const))(
  'without flags a family of %s that needs one stays at 0 or away, and the others do what they did',
  { timeout: 30_000 },
  async (_, kind) => {
    const did = await behaviours(plain(kind));
    for (const { name, movement } of simulatedFamilies(kind)) {
      const now = did.get(name) ?? 'zero';
      expect([name, now]).toEqual([name, movement.does === 'moves with' ? 'zero' : AFTER[movement.does]]);
    }
  },
);
