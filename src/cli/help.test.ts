import { expect, test } from 'vitest';

import { commands } from './commands.ts';
import { helpOf, overview } from './help.ts';
import { COLUMNS } from './wrap.ts';

test.each(commands.map((command) => [command.name, helpOf(command)]))(
  'the help of %s fits a terminal',
  (_, help) => {
    for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(COLUMNS);
  },
);

test('the list of commands fits a terminal', () => {
  for (const line of overview(commands, '1.0.0').split('\n'))
    expect(line.length).toBeLessThanOrEqual(COLUMNS);
});

test('an option keeps its value on its line, and goes on below its summary', () => {
  const help = helpOf({
    name: 'x',
    summary: 'X',
    usage: '--kind KIND [--one VALUE[,VALUE]] '.repeat(3),
    options: [{ flag: 'one', value: 'V', summary: 'word '.repeat(30).trim() }],
    run: () => Promise.reject(new Error('not here')),
  });
  expect(help).toContain('Usage: penstock x --kind KIND [--one VALUE[,VALUE]]');
  expect(help).not.toMatch(/--one$|--kind$/m);
  expect(help).toMatch(/^ {2}--one V {4}word word.*\n {13}word/m);
});
