import { kindNames } from '../config/names.ts';
import { systemClock } from '../kit/clock.ts';
import { UsageError } from '../kit/usage-error.ts';
import { modelProfiles } from '../sim/model/model-profile.ts';
import { type Command, ExitCode } from './command.ts';
import { createIoLog } from './io-log.ts';
import type { Options } from './options.ts';
import type { SimSettings, StartSim } from './parts.ts';
import { oneOf, positiveNumber, wholeNumber } from './values.ts';

const PROFILES = modelProfiles.map(({ slug }) => slug);

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
      '--kind KIND [--model NAME] [--port P] [--model-profile NAME] [--ranks N] [--max-num-seqs N] [--speed X] [--seed S]',
    options: [
      { flag: 'kind', value: 'KIND', summary: `Which engine to be: ${kinds.join(', ')}` },
      {
        flag: 'model',
        value: 'NAME',
        summary: 'Model it says it serves; its model profile by default, else demo',
      },
      {
        flag: 'port',
        value: 'P',
        summary: "Port on 127.0.0.1, the kind's own by default; 0 takes a free one",
      },
      {
        flag: 'model-profile',
        value: 'NAME',
        summary: `How fast it is, what suits the kind by default: ${PROFILES.join(', ')}`,
      },
      { flag: 'ranks', value: 'N', summary: 'Data-parallel ranks, 1 by default' },
      {
        flag: 'max-num-seqs',
        value: 'N',
        summary: 'Requests that run at once (llama-cpp: slots, 4 by default)',
      },
      { flag: 'speed', value: 'X', summary: '10 makes everything ten times as fast as the real one' },
      {
        flag: 'seed',
        value: 'S',
        summary: 'Repeats a run: the same seed and requests give the same answers',
      },
    ],

    async run(options, io) {
      const settings = simSettings(options, simKinds);
      const log = createIoLog({ level: 'info', format: 'auto' }, io, systemClock);
      const interrupted = io.interrupted();
      const sim = await startSim(settings, { clock: systemClock, log });
      io.out(
        `A simulated ${settings.kind} with ${settings.model} is at ${sim.url}\n\nNext:\n  penstock serve --engine ${sim.url}\n`,
      );
      await interrupted;
      await sim.stop();
      return ExitCode.ok;
    },
  };
}

/** Throws UsageError. */
function simSettings(options: Options, simKinds: ReadonlyMap<string, number>): SimSettings {
  const kinds = [...simKinds.keys()];
  const typed = options.text('kind');
  if (typed === undefined) throw new UsageError(`--kind is missing; allowed: ${kinds.join(', ')}`);
  if (kindNames.includes(typed) && !simKinds.has(typed)) {
    throw new UsageError(`--kind: ${typed} cannot be simulated; allowed: ${kinds.join(', ')}`);
  }
  const kind = oneOf('kind', typed, kinds);
  const typedProfile = options.text('model-profile');
  const profile = typedProfile === undefined ? undefined : oneOf('model-profile', typedProfile, PROFILES);
  const number = (flag: string, limits: { min: number; max?: number }): number | undefined => {
    const text = options.text(flag);
    return text === undefined ? undefined : wholeNumber(flag, text, limits);
  };
  const speed = options.text('speed');
  return {
    kind,
    profile,
    model: options.text('model') ?? profile ?? 'demo',
    ranks: number('ranks', { min: 1, max: 64 }) ?? 1,
    maxNumSeqs: number('max-num-seqs', { min: 1, max: 100_000 }),
    speed: speed === undefined ? 1 : positiveNumber('speed', speed),
    seed: number('seed', { min: 0, max: 0xffffffff }) ?? 1,
    host: '127.0.0.1',
    port: number('port', { min: 0, max: 65_535 }) ?? simKinds.get(kind) ?? 0,
  };
}
