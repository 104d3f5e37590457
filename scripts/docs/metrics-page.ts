import type { CatalogFamily } from '../../src/catalog/family.ts';
import { ownFamilies } from '../../src/catalog/own.ts';
import { vllmFamilies } from '../../src/catalog/vllm.ts';
import { profiles } from '../../src/engines/index.ts';
import type { EngineProfile } from '../../src/engines/profile.ts';
import { isSupplied } from '../../src/engines/supply-text.ts';
import { anchor, kindSection } from './kind-section.ts';
import { code, type Page, pageHead, table } from './page.ts';

const kinds = profiles.filter(({ metrics }) => metrics !== undefined);

export const metricsPage: Page = {
  file: 'metrics.md',
  render() {
    return `${pageHead('Metrics', 'src/catalog and src/engines')}
Every engine is shown under vLLM's current names. Each of its series carries \`model_name\`, \`engine\` (the
data-parallel rank, \`0\` where there is one), \`engine_name\` (the process), \`runtime_name\` and \`kind\`. What an engine
does not say has no series: absent is never 0. Counters are as the engine has them, so that one which begins anew begins
anew here, and bounds of histograms stay the engine's own.

What else is done to a page, and nothing beyond it:

* What a kind has beyond vLLM's names stays under its own names, with the labels above and its own beside them. A label
  of the engine's that is called as one of ours becomes \`exported_...\`, as Prometheus would have it.
* What neither list below knows is left out. What an engine's client library or web framework adds to its page
  (\`python_*\`, \`process_*\`, \`http_*\`) says nothing of the engine and is left out too. \`?raw=1\` shows all of it.
* Labels that tell processes apart (\`pid\`, Ray's \`WorkerId\`, \`NodeAddress\`, \`SessionName\`, \`Component\`, \`Version\`)
  are dropped, and what only they told apart is combined as the column "ranks" says.
* Of \`vllm:lora_requests_info\` only the newest series of each rank is true, and only that is shown.
* \`model_name\` is the model as requests name it, where the page names one model or none.
* For kinds without latency histograms (llama.cpp, Ollama and others below) the gateway's stand under vLLM's names, marked
  \`source="gateway"\`: time to the first token, the gap between events as time between tokens, and the whole request.
  Which kinds these are is fixed; no series changes its source at run time.

* [vLLM's names, and which kind supplies them](#vllms-names-and-which-kind-supplies-them)
* [The kinds](#the-kinds), each with the names on its page, and what it has beyond vLLM's
* [Penstock's own](#penstocks-own)

## vLLM's names, and which kind supplies them

"ranks" is how the ranks of one engine become one value. "there" is for vLLM itself: since which version, with which flag.
A kind is in "supplied by" if its page has the family, in parentheses if only some versions have it, or a flag brings
it; in "not by" if it cannot be had from it, and the section of the kind says why. A kind in neither is not known to
have it. Ollama has no metrics: its page holds what the gateway measured. The mark \\* stands at kinds that were only
checked against pages of our own making.

${table(
  ['family', 'type', 'unit', 'labels', 'ranks', 'meaning', 'there', 'supplied by', 'not by'],
  vllmFamilies.map((family) => [
    ...familyCells(family),
    thereText(family),
    suppliers(family),
    others(family),
  ]),
)}
## The kinds

${table(
  ['kind', 'engine', 'checked against'],
  kinds.map((profile) => [
    code(profile.kind),
    `[${profile.title}](#${anchor(profile)})`,
    checkedText(profile),
  ]),
)}
${kinds.map((profile) => kindSection(profile, familyTable(profile.own))).join('\n')}
## Penstock's own

${familyTable(ownFamilies)}`;
  },
};

function suppliers({ name }: CatalogFamily): string {
  return kinds
    .flatMap((profile) => {
      const supply = profile.families[name];
      const answer = supply === undefined ? 'no' : isSupplied(supply, profile.families);
      if (answer === 'no') return [];
      return [answer === 'yes' ? marked(profile) : `(${marked(profile)})`];
    })
    .join(', ');
}

function others({ name }: CatalogFamily): string {
  return kinds
    .filter(({ families }) => {
      const supply = families[name];
      return supply !== undefined && isSupplied(supply, families) === 'no';
    })
    .map(({ kind }) => code(kind))
    .join(', ');
}

function marked(profile: EngineProfile): string {
  return `${code(profile.kind)}${isOwnPageOnly(profile) ? '\\*' : ''}`;
}

function isOwnPageOnly({ verifiedAgainst }: EngineProfile): boolean {
  return verifiedAgainst.every(({ how }) => how === 'own page');
}

function checkedText(profile: EngineProfile): string {
  if (isOwnPageOnly(profile)) return '**own page** only \\*';
  const texts = { capture: 'a real page', documentation: 'documentation or source', 'own page': 'own page' };
  return profile.verifiedAgainst.map(({ version, how }) => `${version} (${texts[how]})`).join('; ');
}

function familyCells({ name, type, unit, labels, ranks, help }: CatalogFamily): readonly string[] {
  return [code(name), type, unit === 'none' ? '' : unit, labels.map(code).join(', '), ranks, help];
}

function familyTable(families: readonly CatalogFamily[]): string {
  return table(
    ['family', 'type', 'unit', 'labels', 'meaning', 'there'],
    families.map((family) => {
      const [name = '', type = '', unit = '', labels = '', , help = ''] = familyCells(family);
      return [name, type, unit, labels, help, thereText(family)];
    }),
  );
}

function thereText({ since, until, flag, when }: CatalogFamily): string {
  return [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(flag === undefined ? [] : [`with ${code(flag)}`]),
    ...(when === undefined ? [] : [when]),
  ].join(', ');
}
