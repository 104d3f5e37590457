import { familyOf } from '../../catalog/index.ts';
import { launchText } from '../../engines/launch-text.ts';
import type { EngineProfile, Supply } from '../../engines/profile.ts';
import { isSupplied, supplyText } from '../../engines/supply-text.ts';
import { whyAbsent } from '../why-absent.ts';
import { wrap } from '../wrap.ts';
import type { ReadPage } from './page-report.ts';

/** What the page does not give, and why: expected and not there, then what the kind never has, then the rest. */
export function missingText(page: ReadPage): string {
  const parts = [...mandatoryRows(page), ...(page.certainty === 'none' ? [] : otherRows(page))];
  return parts.length === 0 ? 'Missing: nothing\n' : `Missing\n${parts.join('')}`;
}

/** Of a kind that nobody knows nothing can be expected, and nothing explained. */
function otherRows({ profile, reading, missing }: ReadPage): readonly string[] {
  const absent = Object.entries(profile.families).filter(([name]) => !reading.series.has(name));
  const which = (answer: ReturnType<typeof isSupplied>): readonly [string, Supply][] =>
    absent.filter(([, supply]) => isSupplied(supply) === answer);
  return [
    ...expectedRows(profile, which('yes'), missing.length > 0),
    ...groups(which('no'), ([, supply]) => whyAbsent(supply) ?? ''),
    ...groups(which('some versions'), ([name]) => whySometimes(profile, name)),
  ];
}

function mandatoryRows({ missing }: ReadPage): readonly string[] {
  return missing.length === 0
    ? []
    : [
        wrap(
          '  ! ',
          `without ${missing.join(' and ')} Penstock does not see the engine's load, and routes by what it sent itself`,
        ),
      ];
}

function expectedRows(
  profile: EngineProfile,
  expected: readonly [string, Supply][],
  isBlind: boolean,
): readonly string[] {
  if (expected.length === 0) return [];
  const flags = profile.launch.filter(({ needed, forPage }) => needed && forPage !== true);
  const help = flags.length === 0 || !isBlind ? '' : `; ${launchText(flags)}`;
  const same = expected.filter(([name, supply]) => supplyText(supply) === name).map(([name]) => name);
  const others = expected.filter(([name]) => !same.includes(name));
  return [
    wrap('  ', `not on this page, where ${profile.title} should have it${help}:`),
    ...(same.length === 0 ? [] : [wrap('    ', same.join(', '))]),
    ...others.flatMap(([name, supply]) => [
      `    ${name}\n`,
      wrap('      ', `${'sameAs' in supply ? 'is' : 'from'} ${supplyText(supply)}`),
    ]),
  ];
}

/** The catalogue's flags are vLLM's. */
function whySometimes({ kind, title }: EngineProfile, name: string): string {
  const flag = kind === 'vllm' || kind === 'generic' ? familyOf(name)?.flag : undefined;
  return flag === undefined ? `${title} has it in other versions or with a flag` : `with ${flag}`;
}

/** Families of one reason together, in the order of the profile. */
function groups(
  absent: readonly [string, Supply][],
  why: (family: readonly [string, Supply]) => string,
): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const family of absent) {
    const reason = why(family);
    byReason.set(reason, [...(byReason.get(reason) ?? []), family[0]]);
  }
  return [...byReason].map(
    ([reason, names]) => wrap('  ', `${reason.replace(/[.]$/, '')}:`) + wrap('    ', names.join(', ')),
  );
}
