#!/usr/bin/env node
import { commands } from './commands.ts';
import { flushed, guardProcess, processIo } from './process-io.ts';
import { runCli } from './run-cli.ts';
import { penstockVersion } from './version.ts';

guardProcess();
const code = await runCli(process.argv.slice(2), {
  commands,
  version: penstockVersion(),
  io: processIo(),
});
await flushed();
// Said outright: a connection that some part still keeps open must not keep a finished command alive.
process.exit(code);
