import { isLoopback } from '../../config/cross-check.ts';
import { systemClock } from '../../kit/clock.ts';
import { systemRandom } from '../../kit/random.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { type Load, startLoad } from '../../sim/load.ts';
import { type Command, ExitCode, type Io } from '../command.ts';
import { fromEngines, LISTEN_OPTION, POLICY_OPTION } from '../config-from-options.ts';
import { createIoLog } from '../io-log.ts';
import type { Options } from '../options.ts';
import type { Running, SimSettings, StartApp, StartSim, World } from '../parts.ts';
import { penstockCommand } from '../penstock-command.ts';
import { addressFault, withPortHint } from '../port-hint.ts';
import { listenAddress } from '../values.ts';
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
      refuseOtherMachines(options);
      const log = createIoLog({ level: 'warn', format: 'auto' }, io, systemClock);
      const world: World = { clock: systemClock, random: systemRandom, log, version: parts.version };
      // It serves nobody but who reads this, unlike serve.
      const ended = Promise.race([io.interrupted(), io.readerLeft()]);
      const sims: Running[] = [];
      try {
        for (const settings of demoEngines) sims.push(await parts.startSim(settings, world));
        const app = await withPortHint(startGateway(parts.startApp, options, io, sims, world), '--listen');
        await showUntil(ended, { app, sims, io, world, load: !options.given('no-load') });
      } finally {
        await Promise.all(sims.map((sim) => sim.stop()));
      }
      return ExitCode.ok;
    },
  };
}

/** Its engines and its gateway have no keys, and nothing would be gained by giving them some. */
function refuseOtherMachines(options: Options): void {
  const text = options.text('listen');
  const host = text === undefined ? undefined : listenAddress('listen', text).host;
  if (host === undefined || isLoopback(host)) return;
  throw new UsageError(
    `--listen: ${JSON.stringify(host)} can be reached from other machines, and the demo has no keys; name an address of this machine alone, such as 127.0.0.1:4100`,
  );
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
    if (options.given('listen') || addressFault(error) !== 'EADDRINUSE') throw error;
    io.err(`port ${config.listen.port} is in use: taking a free one\n`);
    return startApp({ ...config, listen: { ...config.listen, port: 0 } }, world);
  }
}

async function showUntil(
  ended: Promise<unknown>,
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
    // At once, and the rest when it can be tried: a reader that has enough of it is gone by then, and is noticed.
    io.out(`${io.paint.out('head', `Penstock is at ${app.url}, in front of`)}\n\n${fleetLines(sims)}\n`);
    await untilSeen(app.url, demoEngines.map(engineName), world.clock);
    if (load) loads = demoLoads.map((one) => startLoad(world, { baseUrl: app.url, ...one }));
    if (load) io.out('A gentle load runs; --no-load leaves it out.\n\n');
    io.out(tryNext(app.url, sims[0]?.url ?? '', penstockCommand(io.env), io.paint.out));
    await ended;
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
