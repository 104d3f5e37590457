import { systemClock } from '../../kit/clock.ts';
import { type Command, ExitCode } from '../command.ts';
import { configFile, configFromOptions, ENGINE_OPTIONS } from '../config-from-options.ts';
import { penstockCommand } from '../penstock-command.ts';
import { wrap } from '../wrap.ts';
import { aliasText } from './alias-finding.ts';
import { findingText } from './finding-text.ts';
import { type Findings, lookOnce } from './look-once.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look at each engine once: what it is, what it tells, what is missing and what would bring it',
  usage: '[--config FILE] [--engine URL ...] [--json]',
  about:
    'Sends each engine the few requests with which serve tells what it is, and reads its metrics page once.\nExit code 0 when every engine can be routed to by what it reports and every alias leads to a model, 1 when one does not, 2 on wrong use.',
  options: [...ENGINE_OPTIONS, { flag: 'json', summary: 'The findings as JSON, for a program' }],

  async run(options, io) {
    const config = await configFromOptions(options, io);
    const person = { config: await configFile(options, io), penstock: penstockCommand(io.env) };
    const findings = await lookOnce(config, person, systemClock);
    const { engines, aliases } = findings;
    const fine = engines.every((engine) => engine.fine) && aliases.length === 0;
    if (options.given('json')) {
      io.out(`${JSON.stringify({ fine, ...findings }, null, 2)}\n`);
    } else {
      const paint = io.paint.out;
      const parts = [
        ...engines.map((one) => findingText(one, paint)),
        ...aliases.map((one) => aliasText(one, paint)),
      ];
      io.out(`${parts.join('\n')}\n${summary(findings)}`);
    }
    return fine ? ExitCode.ok : ExitCode.failed;
  },
};

function summary({ engines, aliases }: Findings): string {
  const wrong = engines.filter(({ fine }) => !fine).map(({ name }) => name);
  const state = wrong.length === 0 ? 'all fine' : `${wrong.length} with something wrong: ${wrong.join(', ')}`;
  const lost = aliases.length === 0 ? '' : `; ${count(aliases.length, 'alias', 'aliases')} without a model`;
  return wrap('', `${count(engines.length, 'engine', 'engines')}, ${state}${lost}`);
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
