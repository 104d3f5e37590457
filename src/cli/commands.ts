import { startApp } from '../app.ts';
import { simKinds } from '../sim/sim-kinds.ts';
import { startSim } from '../sim/start-sim.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo/demo.ts';
import { doctor } from './doctor/doctor.ts';
import { parse } from './parse/parse.ts';
import { serveCommand } from './serve.ts';
import { simCommand } from './sim.ts';
import { penstockVersion } from './version.ts';

const version = penstockVersion();

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand({ startApp, version }),
  demoCommand({ startApp, startSim, version }),
  simCommand({ startSim, simKinds }),
  check,
  doctor,
  parse,
];
