import { loadConfig } from '../config/load.ts';
import { type Command, ExitCode } from './command.ts';
import { configSummary } from './config-summary.ts';
import { kindsSummary } from './kinds-summary.ts';
import { unusedKinds } from './unused-kinds.ts';
import { wrap } from './wrap.ts';

export const check: Command = {
  name: 'check',
  summary: 'Check a config file without starting anything',
  usage: 'FILE',
  about:
    'Reads the file, its environment variables and its key files as serve would; no engine is asked.\nExit code 0 when it is right, 2 with a line per problem when it is not.',
  options: [],
  positionals: ['FILE'],

  async run({ positionals: [path = ''] }, io) {
    const config = await loadConfig(path, io);
    const warnings = unusedKinds(config).map((line) =>
      wrap('  warning  ', line).replace('warning', io.paint.out('caution', 'warning')),
    );
    io.out(
      `${io.paint.out('good', `${path} is right`)}\n\n${configSummary(config)}${warnings.join('')}${kindsSummary(config.kinds)}`,
    );
    return ExitCode.ok;
  },
};
