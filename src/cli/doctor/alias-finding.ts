import type { Config } from '../../config/config.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Paint } from '../paint.ts';
import { headText, rowsText } from './finding-text.ts';

/** An alias whose model no engine that was looked at lists. */
export interface AliasFinding {
  readonly alias: string;
  readonly model: string;
  /** What the engines list instead. */
  readonly listed: readonly string[];
}

const SHOWN_MODELS = 8;

/** Whoever asks for such an alias is told that there is no such model. */
export function lostAliases(aliases: Config['aliases'], fleet: Fleet): readonly AliasFinding[] {
  const served = fleet.snapshot().flatMap(({ models }) => models);
  const names = new Set(served.flatMap(({ id, aliases: others }) => [id, ...others]));
  const listed = [...new Set(served.map(({ id }) => id))];
  return Object.entries(aliases)
    .filter(([, model]) => !names.has(model))
    .map(([alias, model]) => ({ alias, model, listed }));
}

export function aliasText({ alias, model, listed }: AliasFinding, paint: Paint): string {
  const shown = listed.slice(0, SHOWN_MODELS);
  const more = listed.length > shown.length ? `, and ${listed.length - shown.length} more` : '';
  const rows: [string, string][] = [['model', `no engine that was looked at lists ${JSON.stringify(model)}`]];
  rows.push([
    'do',
    shown.length === 0
      ? 'see why no engine lists a model; requests for this alias are answered with 404'
      : `name a model that is there under \`aliases\`: ${shown.join(', ')}${more}`,
  ]);
  return `${headText(false, `alias ${alias}`, paint)}${rowsText(rows, paint)}`;
}
