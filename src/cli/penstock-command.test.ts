import { expect, test } from 'vitest';
import { penstockCommand } from './penstock-command.ts';

test.each([
  ['installed', {}, 'penstock'],
  ['in a clone', { npm_lifecycle_event: 'penstock', npm_package_name: 'penstock' }, 'npm run -s penstock --'],
  ["in a script of somebody else's", { npm_lifecycle_event: 'gate', npm_package_name: 'lab' }, 'penstock'],
])('%s it is called as it can be', (_, env, command) => {
  expect(penstockCommand(env)).toBe(command);
});
