import { systemClock } from '../../kit/clock.ts';
import { type Command, ExitCode } from '../command.ts';
import { configFromOptions, ENGINE_OPTIONS } from '../config-from-options.ts';
import { findingText } from './finding-text.ts';
import { lookOnce } from './look-once.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look at each engine once: what it is, what it tells, what is missing and what would bring it',
  usage: '[--config FILE] [--engine URL ...] [--json]',
  about:
    'Sends each engine the few requests with which serve tells what it is, and reads its metrics page once.\nExit code 0 when every engine can be routed to by what it reports, 1 when one cannot, 2 on wrong use.',
  options: [...ENGINE_OPTIONS, { flag: 'json', summary: 'The findings as JSON, for a program' }],

  async run(options, io) {
    const config = await configFromOptions(options, io);
    const findings = await lookOnce(config, systemClock);
    const wrong = findings.filter(({ fine }) => !fine);
    if (options.given('json')) {
      io.out(`${JSON.stringify({ fine: wrong.length === 0, engines: findings }, null, 2)}\n`);
    } else {
      io.out(findings.map(findingText).join('\n'));
      const count = `${findings.length} ${findings.length === 1 ? 'engine' : 'engines'}`;
      io.out(
        `\n${count}, ${wrong.length === 0 ? 'all fine' : `${wrong.length} with something wrong: ${wrong.map(({ name }) => name).join(', ')}`}\n`,
      );
    }
    return wrong.length === 0 ? ExitCode.ok : ExitCode.failed;
  },
};
