import { check } from './check.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo/demo.ts';
import { doctor } from './doctor/doctor.ts';
import type { StartApp, StartSim } from './parts.ts';
import { serveCommand } from './serve.ts';
import { simCommand } from './sim.ts';

// WIRING: the one place to change when the parts land (src/app.ts, src/sim/start-sim.ts).
const startApp: StartApp = () => Promise.reject(new Error('src/app.ts is not wired yet'));
const startSim: StartSim = () => Promise.reject(new Error('src/sim is not wired yet'));
const simKinds = new Map([
  ['vllm', 8000],
  ['sglang', 30000],
  ['llama-cpp', 8080],
  ['trtllm', 8000],
  ['strata', 8080],
]);

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand({ startApp }),
  demoCommand({ startApp, startSim }),
  simCommand({ startSim, simKinds }),
  check,
  doctor,
];
