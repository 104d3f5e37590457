import { loadConfig } from '../../config/load.ts';
import { genericProfile, profiles } from '../../engines/index.ts';
import { textOf } from '../../engines/other-form.ts';
import { withOverrides } from '../../engines/override.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import { type ProfileSet, profileIn } from '../../engines/profile-set.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Command, ExitCode, type Io } from '../command.ts';
import { oneOf } from '../values.ts';
import { type PageFormat, pageFormat } from './page-format.ts';
import { pageReport } from './page-report.ts';
import { readInput } from './read-input.ts';
import { reportJson } from './report-json.ts';
import { reportText } from './report-text.ts';

export const parse: Command = {
  name: 'parse',
  summary: 'Show what Penstock reads from a metrics page: why a number is missing',
  usage: 'FILE|URL|- [--kind KIND] [--content-type TYPE] [--json] [--config FILE]',
  about:
    'Reads one page whole, as a file, from a URL as a scrape would, or from standard input (-).\nExit code 0 when the page is valid, 1 when Prometheus would refuse it or the URL brings none, 2 on wrong use.',
  options: [
    { flag: 'kind', value: 'KIND', summary: 'Whose page it is; guessed from its names when left out' },
    {
      flag: 'content-type',
      value: 'TYPE',
      summary:
        "Its Content-Type; told from the server's answer, the file's name or its last line when left out",
    },
    { flag: 'json', summary: 'Everything that was read as JSON, for a program' },
    { flag: 'config', value: 'FILE', summary: 'A config file whose section "kinds" counts' },
  ],
  positionals: ['FILE|URL|-'],

  async run(options, io) {
    const [name = ''] = options.positionals;
    const set = await kindsOf(options.text('config'), io);
    const typedKind = options.text('kind');
    const names = [...set, genericProfile].map(({ kind }) => kind);
    const kind = typedKind === undefined ? undefined : oneOf('kind', typedKind, names);
    const profile = kind === undefined ? undefined : profileIn(set, kind);
    const { bytes, contentType: sent } = await readInput(name, profile, { io, clock: systemClock });
    const text = textInPlace(bytes, profile);
    const format: PageFormat =
      text === undefined
        ? pageFormat(bytes, { name, typed: options.text('content-type'), sent })
        : { format: 'text-0.0.4', reason: 'written from a form of its kind that is no text' };
    const report = pageReport(text ?? bytes, format, set, kind);
    io.out(options.given('json') ? reportJson(report) : reportText(name, report));
    return report.verdict === 'valid' ? ExitCode.ok : ExitCode.failed;
  },
};

/** What a page that is no exposition text says, as a scrape of its kind reads it. */
function textInPlace(bytes: Uint8Array, profile: EngineProfile | undefined): Uint8Array | undefined {
  const form = profile?.metrics?.otherForm;
  const text = form === undefined ? undefined : textOf(form, new TextDecoder().decode(bytes));
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

async function kindsOf(config: string | undefined, io: Io): Promise<ProfileSet> {
  if (config === undefined) return profiles;
  return withOverrides(profiles, (await loadConfig(config, io)).kinds);
}
