import { profileOf } from '../../src/engines/index.ts';
import { allSimKinds, type SimKind } from '../../src/sim/sim-kinds.ts';
import { type SimulatedFamily, simulatedFamilies } from '../../src/sim/simulated-families.ts';
import { code, type Page, pageHead, table } from './page.ts';

export const simulatedPage: Page = {
  file: 'simulated.md',
  render() {
    return `${pageHead('What a simulated engine shows', 'src/sim')}
\`penstock sim --kind KIND\` writes the kind's whole page. Most of it moves with the requests it serves; some of it needs
a flag of \`penstock sim\`; what nothing simulated would move stays at 0 and is named here. \`--list-families\` prints the
same for one kind. A test runs each kind and compares.

Once it runs it prints how to route to it: the address alone, or a small config file where the kind or the place of its
page cannot be told from that.

${allSimKinds.map(section).join('\n')}`;
  },
};

function section(kind: SimKind): string {
  const families = simulatedFamilies(kind);
  const title = `## ${profileOf(kind.kind)?.title ?? kind.kind}\n\n`;
  if (families.length === 0) return `${title}${code(kind.kind)} has no metrics page.\n`;
  const named = (does: SimulatedFamily['movement']['does']): readonly SimulatedFamily[] =>
    families.filter(({ movement }) => movement.does === does);
  const rows: (readonly [string, string])[] = [
    ['moves by itself', list(named('moves'))],
    ...grouped(named('moves with'), ({ movement }) =>
      movement.does === 'moves with' ? `moves with ${code(movement.flag)}` : '',
    ),
    ['told at the start, and stands', list(named('stands'))],
    ...grouped(named('stays at 0'), ({ movement }) =>
      movement.does === 'stays at 0' ? `stays at 0: ${movement.because}` : '',
    ),
  ];
  return `${title}${code(kind.kind)}\n\n${table(
    ['', 'families'],
    rows.filter(([, names]) => names !== ''),
  )}`;
}

function grouped(
  families: readonly SimulatedFamily[],
  groupOf: (family: SimulatedFamily) => string,
): readonly (readonly [string, string])[] {
  const groups = [...new Set(families.map(groupOf))];
  return groups.map((group) => [group, list(families.filter((one) => groupOf(one) === group))]);
}

function list(families: readonly SimulatedFamily[]): string {
  return families.map(({ name }) => code(name)).join(', ');
}
