import { systemClock } from '../../kit/clock.ts';
import { systemRandom } from '../../kit/random.ts';
import { type Load, startLoad } from '../../sim/load.ts';
import { type Command, ExitCode, type Io } from '../command.ts';
import { fromEngines, LISTEN_OPTION, POLICY_OPTION } from '../config-from-options.ts';
import { createIoLog } from '../io-log.ts';
import type { Options } from '../options.ts';
import type { Running, SimSettings, StartApp, StartSim, World } from '../parts.ts';
import { demoEngines, demoLoads } from './demo-engines.ts';
import { tryNext } from './try-next.ts';
import { untilSeen } from './until-seen.ts';

export function demoCommand(parts: { startApp: StartApp; startSim: StartSim; version: string }): Command {
  return {
    name: 'demo',
    summary: 'Simulated engines of five kinds, the gateway and a gentle load: no GPU needed',
    usage: '[--listen HOST:PORT] [--policy NAME] [--no-load]',
    options: [
      LISTEN_OPTION,
      POLICY_OPTION,
      { flag: 'no-load', summary: 'Send no requests: the engines stay idle until you do' },
    ],

    async run(options, io) {
      const log = createIoLog({ level: 'warn', format: 'auto' }, io, systemClock);
      const world: World = { clock: systemClock, random: systemRandom, log, version: parts.version };
      const interrupted = io.interrupted();
      const sims: Running[] = [];
      try {
        for (const settings of demoEngines) sims.push(await parts.startSim(settings, world));
        const app = await startGateway(parts.startApp, options, io, sims, world);
        await showUntil(interrupted, { app, sims, io, world, load: !options.given('no-load') });
      } finally {
        await Promise.all(sims.map((sim) => sim.stop()));
      }
      return ExitCode.ok;
    },
  };
}

/** Each kind is there once. */
function engineName({ kind }: SimSettings): string {
  return kind;
}

async function startGateway(
  startApp: StartApp,
  options: Options,
  io: Io,
  sims: readonly Running[],
  world: World,
): Promise<Running> {
  // Kinds are left out: telling them is part of what the demo shows.
  const engines = demoEngines.map((settings, at) => ({
    url: sims[at]?.url ?? '',
    name: engineName(settings),
  }));
  const config = await fromEngines(engines, io, options);
  try {
    return await startApp(config, world);
  } catch (error) {
    if (options.given('listen') || !portInUse(error)) throw error;
    io.err(`port ${config.listen.port} is in use: taking a free one\n`);
    return startApp({ ...config, listen: { ...config.listen, port: 0 } }, world);
  }
}

async function showUntil(
  interrupted: Promise<string>,
  {
    app,
    sims,
    io,
    world,
    load,
  }: { app: Running; sims: readonly Running[]; io: Io; world: World; load: boolean },
): Promise<void> {
  let loads: readonly Load[] = [];
  try {
    await untilSeen(app.url, demoEngines.map(engineName), world.clock);
    if (load) loads = demoLoads.map((one) => startLoad(world, { baseUrl: app.url, ...one }));
    io.out(`Penstock is at ${app.url}, in front of\n\n${fleetLines(sims)}\n`);
    if (load) io.out('A gentle load runs; --no-load leaves it out.\n\n');
    const penstock = io.env['npm_lifecycle_event'] === undefined ? 'penstock' : 'npm run -s penstock --';
    io.out(tryNext(app.url, sims[0]?.url ?? '', penstock));
    await interrupted;
  } finally {
    await Promise.all(loads.map((one) => one.stop()));
    await app.stop();
  }
}

function fleetLines(sims: readonly Running[]): string {
  return demoEngines
    .map(({ kind, model, ranks }, at) => {
      const note = ranks > 1 ? `, ${ranks} ranks` : '';
      return `  ${kind.padEnd(10)} ${sims[at]?.url ?? ''}  ${model}${note}\n`;
    })
    .join('');
}

function portInUse(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => (one as { code?: unknown } | undefined)?.code === 'EADDRINUSE');
}
