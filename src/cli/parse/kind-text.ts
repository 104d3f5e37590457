import { wrap } from '../wrap.ts';
import type { NearKind } from './near-kinds.ts';
import type { ReadPage } from './page-report.ts';

const CERTAINTY: Readonly<Record<ReadPage['certainty'], string>> = {
  chosen: '',
  known: '',
  guess: ' by a guess',
  none: '',
};

/** Whose page it is and why, and the model and ranks that it names. */
export function kindText({ profile, certainty, reason, near, reading }: ReadPage): string {
  const who =
    certainty === 'none'
      ? `unknown: ${reason}; it is read by vLLM's names`
      : `${profile.title} (${profile.kind})${CERTAINTY[certainty]}: ${reason}`;
  const { modelName, ranks } = reading;
  const rows = [
    wrap('  ', who, '    '),
    ...(certainty === 'guess' ? ['    (another: --kind KIND)\n'] : []),
    ...(modelName === undefined ? [] : [wrap('  model: ', modelName)]),
    ...(ranks.length < 2 ? [] : [wrap('  ranks: ', ranks.join(', '))]),
    ...(certainty === 'none' ? [nearText(near)] : []),
  ];
  return `Kind\n${rows.join('')}`;
}

const SHOWN_NAMES = 3;

const OWN_KIND =
  'say in a config file, section "kinds", where it has its figures, and try that with --config FILE.';

function nearText(near: readonly NearKind[]): string {
  if (near.length === 0) return wrap('  ', `No kind has any of its names: ${OWN_KIND}`);
  const rows = near.flatMap(nearRows).join('');
  return `  nearest:\n${rows}${wrap('  ', `Read it as one of them with --kind KIND, or ${OWN_KIND}`)}`;
}

function nearRows({ profile, read, supplied, alike }: NearKind): readonly string[] {
  const more = alike.length > SHOWN_NAMES ? ', ...' : '';
  const pairs = alike.slice(0, SHOWN_NAMES).map(({ found, like }) => `${found} like ${like}`);
  return [
    `    ${profile.title} (${profile.kind}): ${read} of its ${supplied} families\n`,
    ...(alike.length === 0 ? [] : [wrap('      ', `nearly: ${pairs.join(', ')}${more}`)]),
  ];
}
