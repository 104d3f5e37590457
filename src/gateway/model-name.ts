import type { Engine } from '../fleet/engine.ts';
import { type Aliases, servedName } from './known-models.ts';

/**
 * The name under which requests for a model are counted, whatever came of them: the engine's own id, also where the
 * client used an alias of the engine or of the operator. Undefined: nobody knows it, it is the client's invention.
 */
export function countedModel(
  engines: readonly Engine[],
  aliases: Aliases,
  asked: string,
): string | undefined {
  const name = servedName(aliases, asked);
  for (const engine of engines) {
    const id = idAt(engine, name);
    if (id !== undefined) return id;
  }
  return Object.hasOwn(aliases, asked) ? name : undefined;
}

/** @param served as the engine was asked for it */
export function idAt({ identity }: Engine, served: string): string | undefined {
  return identity?.models.find(({ id, aliases }) => id === served || aliases.includes(served))?.id;
}
