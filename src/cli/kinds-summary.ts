import { profiles } from '../engines/index.ts';
import type { KindOverride } from '../engines/override.ts';
import { profileIn } from '../engines/profile-set.ts';
import { supplyText } from '../engines/supply-text.ts';
import { wrap } from './wrap.ts';

/** What a config changes of the built-in kinds and what it adds, family by family; '' where it says nothing of kinds. */
export function kindsSummary(kinds: readonly KindOverride[]): string {
  return kinds.map((kind) => `\n${kindText(kind)}`).join('');
}

function kindText(override: KindOverride): string {
  const { kind, like, metrics, healthPath, modelsPath, rankLabel, modelLabels, progress } = override;
  const base = profileIn(profiles, like ?? kind);
  const builtIn = profileIn(profiles, kind) !== undefined;
  const head = builtIn
    ? `kind ${kind}, built in, is changed:`
    : `kind ${kind} is new, ${base === undefined ? 'and has only the families named here' : `made from ${base.kind}`}:`;
  const lines = [
    ...line('title', override.title),
    ...line(
      'metrics page',
      metrics && metrics.path + (metrics.query === undefined ? '' : `?${metrics.query}`),
    ),
    ...line('health', healthPath),
    ...line('models', modelsPath),
    ...line('rank label', rankLabel),
    ...line('model labels', modelLabels?.join(', ')),
    ...line('progress', progress && supplyText(progress)),
    ...Object.entries(override.families).flatMap(([family, supply]) => {
      const before = base?.families[family];
      return [
        `  ${family}\n`,
        wrap('    ', supplyText(supply)),
        ...(before === undefined ? [] : [wrap('    instead of: ', supplyText(before), '      ')]),
      ];
    }),
  ];
  const nothing = base === undefined ? '  none, so it tells nothing\n' : '  as its base has everything\n';
  return `${head}\n${lines.length === 0 ? nothing : lines.join('')}`;
}

function line(what: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [wrap(`  ${what}: `, value, '    ')];
}
