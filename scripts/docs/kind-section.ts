import type { EngineProfile, Supply } from '../../src/engines/profile.ts';
import { mapSources } from '../../src/engines/rename.ts';
import { sourcesOf } from '../../src/engines/sample-names.ts';
import { supplyText } from '../../src/engines/supply-text.ts';
import { vllmNames } from '../../src/engines/vllm-names.ts';
import { code, table } from './page.ts';

/** One kind's part of the metrics page: from which name each family comes, why not where not, and what else it has. */
export function kindSection(profile: EngineProfile, ownTable: string): string {
  const { kind, families, own, doubts = [] } = profile;
  const speaksVllm = Object.keys(vllmNames).every((name) => families[name] !== undefined);
  const rows = Object.entries(families)
    .filter(([name, supply]) =>
      kind === 'vllm' ? hasOlderName(supply) : !speaksVllm || differs(name, supply),
    )
    .map(([name, supply]) => [code(name), supplyText(supply, code)]);
  const listed = rows.length === 0 ? '' : table(['family', 'from'], rows);
  return `### ${heading(profile)}

${intro(profile, speaksVllm, rows.length > 0)}
${doubts.map((doubt) => `\n* ${doubt}`).join('')}

${listed}${own.length === 0 ? '' : `\nBeyond vLLM's names, under its own:\n\n${ownTable}`}`;
}

/** As GitHub makes it from the heading. */
export function anchor(profile: EngineProfile): string {
  return heading(profile)
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function heading({ title }: EngineProfile): string {
  return `From ${title}`;
}

function intro({ kind, families }: EngineProfile, speaksVllm: boolean, more: boolean): string {
  if (kind === 'vllm') return 'Under the same names; older names where the family has one:';
  const names = Object.values(families).flatMap((supply) => sourcesOf(supply).map((source) => source.names));
  const example = names[0]?.[0];
  if (speaksVllm && example !== undefined) {
    const tail = more ? '; where more than the name differs:' : '.';
    return `Every family of vLLM's as this kind writes the name (${code(example)})${tail}`;
  }
  const underscored = names.some((all) => all.some((name) => all.includes(name.replace('_', ':'))));
  const also = underscored
    ? '; names whose colon something on the way turned into an underscore are read too'
    : '';
  return `Read from its page as follows${also}.`;
}

function hasOlderName(supply: Supply): boolean {
  return ('names' in supply && supply.names.length > 1) || 'firstOf' in supply;
}

/** Whether more than the names is another than vLLM's. */
function differs(name: string, supply: Supply): boolean {
  const bare = (one: Supply | undefined): string =>
    one === undefined
      ? ''
      : JSON.stringify(
          mapSources(one, ({ where, part, scale, constant }) => ({
            names: [],
            ...(where === undefined ? {} : { where }),
            ...(part === undefined ? {} : { part }),
            ...(scale === undefined ? {} : { scale }),
            ...(constant === undefined ? {} : { constant }),
          })),
        );
  return bare(supply) !== bare(vllmNames[name]);
}
