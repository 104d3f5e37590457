import type { Exposition } from '../../src/exposition/exposition.ts';
import { seededRandom } from '../../src/kit/random.ts';

import type { SimSettings } from '../../src/sim/sim-settings.ts';
import { pageOfSim, virtualSim, work } from './sim.ts';

/** How a family behaved: its values changed, stood at something, or stood at 0. */
export type Behaviour = 'moves' | 'fixed' | 'zero';

/**
 * Lives through some seconds of an engine in virtual time, more requests than it has room for, with prefixes they
 * share and clients that leave, and says what each family of its page did.
 */
export async function behaviours(settings: Partial<SimSettings>): Promise<ReadonlyMap<string, Behaviour>> {
  const { clock, sim } = virtualSim({ maxNumSeqs: 6, ...settings });
  const random = seededRandom(1);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const pages: Exposition[] = [pageOfSim(sim)];
  for (let at = 0; at < 60; at += 1) {
    const shared = Array.from({ length: 4 }, (_, block) => block + 10 * (at % 3));
    const adapter = [undefined, ...sim.adapters][at % (sim.adapters.length + 1)];
    const outputTokens = upTo(60);
    const generation = await sim.driver.submit(
      work(100 + upTo(300), outputTokens, {
        promptBlocks: shared,
        finishReason: at % 4 === 0 ? 'length' : 'stop',
        ...(adapter === undefined ? {} : { adapter }),
      }),
    );
    await clock.advance(upTo(60));
    if (at % 9 === 0) generation.abort();
    pages.push(pageOfSim(sim));
  }
  await clock.advance(60_000);
  pages.push(pageOfSim(sim));
  await sim.driver.stop();
  return behavioursOf(pages);
}

function behavioursOf(pages: readonly Exposition[]): ReadonlyMap<string, Behaviour> {
  const seen = new Map<string, Set<string>>();
  const nonZero = new Set<string>();
  for (const page of pages) {
    const byFamily = new Map<string, string[]>();
    const familyOf = new Map(
      page.families.flatMap(({ name }) => SUFFIXES.map((suffix) => [name + suffix, name])),
    );
    for (const { name, labels, value } of page.samples) {
      const family = familyOf.get(name) ?? name;
      byFamily.set(family, [...(byFamily.get(family) ?? []), `${name} ${JSON.stringify(labels)} ${value}`]);
      if (value !== 0) nonZero.add(family);
    }
    for (const [family, lines] of byFamily) {
      seen.set(family, (seen.get(family) ?? new Set()).add(lines.join('\n')));
    }
  }
  return new Map(
    [...seen].map(([family, values]) => [
      family,
      values.size > 1 ? 'moves' : nonZero.has(family) ? 'fixed' : 'zero',
    ]),
  );
}

const SUFFIXES = ['', '_bucket', '_sum', '_count'];
