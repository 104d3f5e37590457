import { systemClock } from '../kit/clock.ts';
import { systemRandom } from '../kit/random.ts';
import { type Command, ExitCode } from './command.ts';
import {
  configFromOptions,
  ENGINE_OPTIONS,
  INSECURE_OPTION,
  LISTEN_OPTION,
  POLICY_OPTION,
} from './config-from-options.ts';
import { configSummary } from './config-summary.ts';
import { createIoLog } from './io-log.ts';
import type { StartApp } from './parts.ts';
import { withPortHint } from './port-hint.ts';
import { serveNext } from './serve-next.ts';

export function serveCommand({ startApp, version }: { startApp: StartApp; version: string }): Command {
  return {
    name: 'serve',
    summary: 'Run the gateway in front of your engines',
    usage: '[--config FILE] [--engine URL ...] [--listen HOST:PORT] [--policy NAME] [--insecure]',
    about:
      'Options win over the file. Ctrl-C lets running answers end before it stops; a second Ctrl-C stops at once.',
    options: [...ENGINE_OPTIONS, LISTEN_OPTION, POLICY_OPTION, INSECURE_OPTION],

    async run(options, io) {
      const config = await configFromOptions(options, io);
      const log = createIoLog(config.log, io, systemClock);
      // Before the start: a signal that comes during it must not be lost.
      const interrupted = io.interrupted();
      const app = await withPortHint(
        startApp(config, { clock: systemClock, random: systemRandom, log, version }),
        '--listen',
      );
      const head = io.paint.out('head', `Penstock ${version} is at ${app.url}`);
      io.out(`${head}\n\n${configSummary(config)}\n${serveNext(app.url, config.keys)}`);
      const signal = await interrupted;
      io.err(`${signal}: answers that run may end; once more to stop at once\n`);
      await app.stop();
      return ExitCode.ok;
    },
  };
}
