import type { CatalogFamily } from '../../src/catalog/family.ts';
import { ownFamilies } from '../../src/catalog/own.ts';
import { vllmFamilies } from '../../src/catalog/vllm.ts';
import { profiles } from '../../src/engines/index.ts';
import type { EngineProfile, Supply } from '../../src/engines/profile.ts';
import { isSupplied, supplyText } from '../../src/engines/supply-text.ts';
import { code, type Page, pageHead, table } from './page.ts';

const kinds = profiles.filter(({ metrics }) => metrics !== undefined);

export const metricsPage: Page = {
  file: 'metrics.md',
  render() {
    return `${pageHead('Metrics', 'src/catalog and src/engines')}
Every engine is shown under vLLM's current names. Each of its series carries \`model_name\`, \`engine\` (the
data-parallel rank, \`0\` where there is one), \`engine_name\` (the process), \`runtime_name\` and \`kind\`. What an engine
does not say has no series: absent is never 0. Bounds of histograms stay the engine's own.

* [Which kind supplies what](#which-kind-supplies-what)
* [vLLM's names](#vllms-names)
${kinds.map(({ title }) => `* [${title}](#${anchor(`From ${title}`)})\n`).join('')}* [Penstock's own](#penstocks-own)

## Which kind supplies what

yes: on its page. some: in some versions or with a flag. no: it cannot, and its section below says why. Empty: it is not
known to have it. Ollama has no metrics: its page holds what the gateway measured.

${table(['family', ...kinds.map(({ title }) => title)], vllmFamilies.map(availability))}
## vLLM's names

"ranks" is how the ranks of one engine become one value.

${table(
  ['family', 'type', 'unit', 'labels', 'ranks', 'meaning', 'there'],
  vllmFamilies.map((family) => [...familyCells(family), thereText(family)]),
)}
${kinds.map(kindSection).join('\n')}
## Penstock's own

${table(['family', 'type', 'unit', 'labels', 'meaning'], ownFamilies.map(ownCells))}`;
  },
};

function availability({ name }: CatalogFamily): readonly string[] {
  const marks = kinds.map(({ families }) => {
    const supply = families[name];
    if (supply === undefined) return '';
    return { yes: 'yes', 'some versions': 'some', no: 'no' }[isSupplied(supply)];
  });
  return [code(name), ...marks];
}

function kindSection({ title, families, own, kind }: EngineProfile): string {
  const renamed = (supply: Supply): boolean => 'names' in supply && supply.names.length > 1;
  const rows = Object.entries(families)
    .filter(([, supply]) => kind !== 'vllm' || renamed(supply))
    .map(([name, supply]) => [code(name), supplyText(supply, code)]);
  const supplied =
    kind === 'vllm'
      ? 'Under the same names; older names where the family has one:\n\n'
      : 'Read from its page as follows; names whose colon something on the way turned into an underscore are read too.\n\n';
  const beyond =
    own.length === 0
      ? ''
      : `\nBeyond vLLM's names, under its own:\n\n${table(['family', 'type', 'unit', 'labels', 'meaning'], own.map(ownCells))}`;
  return `## From ${title}\n\n${supplied}${table(['family', 'from'], rows)}${beyond}`;
}

function familyCells({ name, type, unit, labels, ranks, help }: CatalogFamily): readonly string[] {
  return [code(name), type, unit === 'none' ? '' : unit, labels.map(code).join(', '), ranks, help];
}

function ownCells(family: CatalogFamily): readonly string[] {
  const [name = '', type = '', unit = '', labels = '', , help = ''] = familyCells(family);
  return [name, type, unit, labels, help];
}

function thereText({ since, until, flag, when }: CatalogFamily): string {
  return [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(flag === undefined ? [] : [`with ${code(flag)}`]),
    ...(when === undefined ? [] : [when]),
  ].join(', ');
}

/** As GitHub makes it from a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
