import { systemClock } from '../kit/clock.ts';
import { type Command, ExitCode } from './command.ts';
import { createIoLog } from './io-log.ts';
import type { StartSim } from './parts.ts';
import { penstockCommand } from './penstock-command.ts';
import { withPortHint } from './port-hint.ts';
import { familiesText } from './sim-families.ts';
import { simNext } from './sim-next.ts';
import { kindOf, simOptions, simSettings } from './sim-options.ts';

export function simCommand({
  startSim,
  simKinds,
}: {
  startSim: StartSim;
  /** Kinds that can be simulated, with the port each listens on when left alone. */
  simKinds: ReadonlyMap<string, number>;
}): Command {
  const kinds = [...simKinds.keys()];
  return {
    name: 'sim',
    summary: 'Run a simulated engine: its API, its metrics, its timing, no GPU',
    usage:
      '--kind KIND [--model NAME] [--port P] [--model-profile NAME] [--ranks N] [--max-num-seqs N] [--speed X] [--seed S] [--kv-tokens N] [--kv-cache-metrics] [--spec GAMMA[:ALPHA]] [--lora NAME[,NAME]] [--error-rate SHARE] [--abort-rate SHARE] [--slow-start SECONDS] [--list-families]',
    options: simOptions(kinds),

    async run(options, io) {
      if (options.given('list-families')) {
        io.out(familiesText(kindOf(options, kinds)));
        return ExitCode.ok;
      }
      const settings = simSettings(options, simKinds);
      const log = createIoLog({ level: 'info', format: 'auto' }, io, systemClock);
      const interrupted = io.interrupted();
      const sim = await withPortHint(startSim(settings, { clock: systemClock, log }), '--port');
      const seconds = (settings.slowStartMs ?? 0) / 1000 / settings.speed;
      const loads = seconds > 0 ? `It loads for ${seconds} s before it answers.\n` : '';
      const head = `A simulated ${settings.kind} with ${settings.model} is at ${sim.url}`;
      const next = simNext(settings.kind, sim.url, penstockCommand(io.env));
      io.out(`${io.paint.out('head', head)}\n${loads}\n${next}`);
      await interrupted;
      await sim.stop();
      return ExitCode.ok;
    },
  };
}
